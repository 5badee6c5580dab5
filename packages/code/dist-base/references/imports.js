import { dirname, join } from 'node:path/posix';
import { escapePattern } from '#base/escape-pattern';
/** Characters between the keyword and the end of a list of imports. */
const maxList = 4_000;
/** The statements that import or re-export a name, in JavaScript, TypeScript or Python. */
export function importsOf(text, name, isPython) {
    const specifiers = [];
    const aliases = [];
    const statement = isPython
        ? new RegExp(String.raw `^[ \t]*from\s+(\S+)\s+import\s+(\([^)]{0,${maxList}}\)|[^\n#]+)`, 'gm')
        : new RegExp(String.raw `(?:^|[;\n])\s*(?:import|export)\s([^'";=]{0,${maxList}}?)\sfrom\s*['"]([^'"\n]+)['"]|(?:const|let|var)\s+([^=;]{1,${maxList}}?)=\s*(?:await\s+import|require)\(\s*['"]([^'"\n]+)['"]`, 'g');
    const quoted = escapePattern(name);
    const taken = new RegExp(String.raw `(?<![\w$])(?<!\bas\s+|\w:\s*)${quoted}(?![\w$])(?:\s+as\s+([\w$]+)|\s*:\s*([\w$]+))?`, 'g');
    for (const match of text.matchAll(statement)) {
        const [list = '', specifier = ''] = isPython
            ? [match[2], match[1]]
            : [match[1] ?? match[3], match[2] ?? match[4]];
        for (const [, alias, renamed] of list.matchAll(taken)) {
            specifiers.push(specifier);
            const other = alias ?? renamed;
            if (other !== undefined && !/^\s*export/.test(match[0].slice(1)))
                aliases.push(other);
        }
    }
    return { specifiers, aliases };
}
/** The paths that a specifier may mean, without extensions; undefined for a package. */
export function targetOf(specifier, from, isPython) {
    if (isPython) {
        const [, dots = '', rest = ''] = /^(\.*)(.*)$/.exec(specifier) ?? [];
        const path = rest.replaceAll('.', '/');
        if (dots === '')
            return path;
        return join(dirname(from), '../'.repeat(dots.length - 1), path);
    }
    return /^\.\.?(?:\/|$)/.test(specifier) ? join(dirname(from), specifier) : undefined;
}
/** True if a path without its extension, or as a package, is that of a file. */
export function isFileOf(target, file, isPython) {
    const stem = (path) => path
        .replace(/\.[cm]?[jt]sx?$|\.pyi?$/, '')
        .replace(/\/(?:index|__init__)$|^(?:index|__init__)$/, '');
    const [one, other] = [stem(target), stem(file)];
    return one === other || (isPython && one !== '' && other.endsWith(`/${one}`));
}
//# sourceMappingURL=imports.js.map