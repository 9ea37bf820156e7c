/** Where the parts are. Their site must list the origin of this host in PARTS_ORIGINS. */
export const partsOrigin = process.env.PARTS_ORIGIN ?? 'https://www.countersign.example';

const once = { singleton: true };

/** One copy per page, for this host and the parts in it. */
export const shared = { react: once, 'react-dom': once, 'react/jsx-runtime': once };
