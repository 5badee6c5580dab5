const maxNameLength = 120;
/** The text of a name, on one line. */
export const nameText = (node) => node ? node.text.replace(/\s+/g, ' ').slice(0, maxNameLength) || undefined : undefined;
/** Keywords that an erroneous tree contains as function names. */
const isControl = /^(?:if|else|for|while|do|switch|case|catch|return|sizeof|defined)$/;
/** Type words that precede parentheses in declarations of function pointers. */
export const isTypeWord = (word) => /^(?:void|int|char|short|long|float|double|unsigned|signed|const|struct|union|enum)$/.test(word);
/** Name of a function that returns a function pointer: `void (*name(int))(void)`. */
export const nameBehindPointer = (header) => /\(\s*\*+\s*(\w+)\s*\(/.exec(header)?.[1];
/** Characters of a header that are searched for a name. */
export const maxHeaderLength = 2_000;
/** The name inside nested C declarators: pointers, parentheses, arrays. */
export function declaratorName(node) {
    let at = node.childForFieldName('declarator');
    let isFunction = false;
    for (let depth = 0; at && depth < 32; depth++) {
        if (at.type === 'function_declarator')
            isFunction = true;
        if (at.type === 'operator_cast')
            return `operator ${nameText(at.childForFieldName('type'))}`;
        const inner = at.childForFieldName('declarator') ??
            (/_declarator$/.test(at.type) ? at.firstNamedChild : null);
        if (!inner)
            break;
        at = inner;
    }
    if (at?.type === 'qualified_identifier') {
        const last = lastOfQualified(at);
        if (last.type === 'operator_cast') {
            const scope = at.text.slice(0, last.startIndex - at.startIndex);
            return qualifiedPath(`${scope}operator ${nameText(last.childForFieldName('type'))}`);
        }
    }
    if (!at || !isFunction || isControl.test(at.text))
        return undefined;
    if (isTypeWord(at.text))
        return nameBehindPointer(node.text.slice(0, maxHeaderLength));
    return qualifiedPath(nameText(at));
}
/** `A::B::operator bool` ends with `operator bool`. */
function lastOfQualified(node) {
    let at = node;
    for (let next = at; next?.type === 'qualified_identifier'; at = next ?? at)
        next = at.childForFieldName('name');
    return at;
}
/** A macro that is called, such as `TEST`. */
export const isMacroName = (word) => /^[A-Z][A-Z\d_]*$/.test(word);
/** What a macro with these arguments defines: `Suite, Name`, `name, …`, `"a text"`. */
export function nameOfArguments(list) {
    const quoted = /^\s*"((?:[^"\\]|\\.){1,120})"/.exec(list)?.[1];
    if (quoted)
        return quoted;
    const words = list.split(',').map((word) => word.trim());
    if (!/^[A-Za-z_]\w*$/.test(words[0] ?? '') || isTypeWord(words[0] ?? ''))
        return undefined;
    return words.length === 2 && /^\w+$/.test(words[1] ?? '') ? words.join('/') : words[0];
}
/** `::A<T>::b` becomes `A/b`; `operator<` is unchanged. */
export function qualifiedPath(name) {
    const [, scope = '', operator = ''] = /^(.*?)(\boperator\b.*)?$/s.exec(name ?? '') ?? [];
    let path = scope;
    for (let before = ''; before !== path;) {
        before = path;
        path = path.replace(/\s*<[^<>]*>/g, '');
    }
    // Arguments that were cut off are no part of the name.
    path = path.replace(/\s*<.*$/s, '');
    // What is before a blank is a type that the parser did not know as one.
    path = path
        .replace(/\s*::\s*/g, '::')
        .trim()
        .replace(/^.*\s(?=\S)/s, '');
    const parts = [...path.split('::'), operator.replace(/\s+(?=\W)/g, '')];
    return parts.filter((part) => part.trim() !== '').join('/') || undefined;
}
/** `a.b.c`, `A.prototype.b`, `M:f`, `M["f"]` as name paths. */
export function memberPath(node) {
    const parts = nameText(node)
        ?.replace(/\[\s*(["'])([\w$-]+)\1\s*\]/g, '.$2')
        .split(/[.:]/)
        .map((part) => part.trim());
    return parts?.filter((part) => part !== 'prototype' && part !== 'this' && part !== '').join('/');
}
/** Name of a module or type: `A.B`, `A::B` and `A\B` as name paths. */
export const scopedName = (node) => nameText(node.childForFieldName('name'))
    ?.split(/\s*(?:::|[.\\])\s*/)
    .filter((part) => part !== '')
    .join('/');
//# sourceMappingURL=language.js.map