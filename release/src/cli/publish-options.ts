export const publishUsage = 'publish <part> [folder]';
export const checkUsage = 'check <part> [version]';
