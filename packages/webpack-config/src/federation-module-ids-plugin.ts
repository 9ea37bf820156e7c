import type { Compiler } from 'webpack';

/** The module that federation generates; its file name is a hash of a text with absolute paths. */
const generatedFile = /[\\/]\.federation[\\/]entry\.\w+\.js/;

/**
 * Makes a build the same in every folder. Webpack derives the id of a module from its name. The names of the generated
 * module and of the container that imports it depend on the folder, so these two get fixed ids.
 */
export class FederationModuleIdsPlugin {
  apply(compiler: Compiler): void {
    compiler.hooks.compilation.tap(FederationModuleIdsPlugin.name, (compilation) => {
      // Before webpack gives an id to every module that has none.
      const stage = -1;
      compilation.hooks.moduleIds.tap({ name: FederationModuleIdsPlugin.name, stage }, (modules) => {
        for (const module of modules) {
          if (!generatedFile.test(module.identifier())) continue;
          const isFile = generatedFile.test(module.nameForCondition() ?? '');
          compilation.chunkGraph.setModuleId(module, isFile ? 'federation' : 'container');
        }
      });
    });
  }
}
