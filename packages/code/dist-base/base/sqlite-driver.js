var __rewriteRelativeImportExtension = (this && this.__rewriteRelativeImportExtension) || function (path, preserveJsx) {
    if (typeof path === "string" && /^\.\.?\//.test(path)) {
        return path.replace(/\.(tsx)$|((?:\.d)?)((?:\.[^./]+?)?)\.([cm]?)ts$/i, function (m, tsx, d, ext, cm) {
            return tsx ? preserveJsx ? ".jsx" : ".js" : d && (!ext || !cm) ? m : (d + ext + "." + cm.toLowerCase() + "js");
        });
    }
    return path;
};
/** `node:sqlite` has no types for Node 20; TypeScript does not resolve a name in a variable. */
const builtIn = 'node:sqlite';
const prebuilt = '@photostructure/sqlite';
let loading;
/** SQLite of Node (from 22.13 on), or else the optional package; undefined without either. */
export function loadDriver() {
    loading ??= load(builtIn).catch(() => load(prebuilt).catch(() => undefined));
    return loading;
}
async function load(name) {
    const { DatabaseSync } = (await import(__rewriteRelativeImportExtension(name)));
    return (path, options = {}) => new DatabaseSync(path, options);
}
