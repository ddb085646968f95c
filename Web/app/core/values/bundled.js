// In the client as it ships, files that are loaded at once are one file (deploy/bundle-web).

/** Whether this is the client as it ships. */
export const isBundled = import.meta.url.includes('/app/built/');
