const keywords = Object.fromEntries([
    ...['class', 'struct', 'interface', 'trait', 'enum', 'type', 'typedef', 'union', 'protocol'].map((word) => [word, 'type']),
    ...['function', 'def', 'func', 'fn', 'fun', 'method'].map((word) => [word, 'callable']),
    ...[
        'const',
        'constant',
        'let',
        'var',
        'val',
        'static',
        'variable',
        'field',
        'macro',
        '#define',
    ].map((word) => [word, 'value']),
]);
/** `class Pot`, `Pot`, `const LIMIT`, `*pot*`. */
export function readFindQuery(query) {
    const [, keyword = '', named] = /^(#?[a-z]+)\s+(\S+)$/.exec(query.trim()) ?? [];
    const prefers = keywords[keyword];
    const name = prefers === undefined ? query.trim() : named;
    const isPart = /^\*.*[\p{L}\p{N}].*\*$/su.test(name);
    const text = isPart ? name.slice(1, -1) : name;
    return {
        text,
        prefers: prefers ?? (/^\p{Lu}/u.test(lastName(text)) ? 'type' : 'callable'),
        isPart,
    };
}
const lastName = (text) => text.split(/::|[./#]/).at(-1) ?? text;
const types = new Set([
    'class',
    'interface',
    'struct',
    'enum',
    'type',
    'module',
    'impl',
    'extension',
]);
export const callables = new Set([
    'function',
    'method',
    'constructor',
    'accessor',
]);
/** The group of a kind among those of one name, the preferred one first. */
export function kindRank(kind, prefers) {
    const group = types.has(kind) ? 'type' : callables.has(kind) ? 'callable' : 'value';
    if (group === prefers)
        return 0;
    return group === 'value' ? 2 : 1;
}
//# sourceMappingURL=read-query.js.map