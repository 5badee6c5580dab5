import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, relative, sep } from 'node:path';
/** The real path, or that of the nearest parent folder that exists. */
export async function nearestReal(path) {
    for (let at = path;; at = dirname(at)) {
        const real = await realpath(at).catch(() => undefined);
        if (real !== undefined)
            return { real, exists: at === path };
        if (at === dirname(at))
            return { real: at, exists: false };
    }
}
/** True if `path` is the folder or below it; both are real paths. */
export function isInside(path, folder) {
    const relation = relative(folder, path);
    return !(relation === '..' || relation.startsWith(`..${sep}`) || isAbsolute(relation));
}
