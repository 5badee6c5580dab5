import { isMacroName, isTypeWord, maxHeaderLength, nameBehindPointer, nameOfArguments, } from '../languages/language.js';
export const noHeader = () => ({
    start: -1,
    first: '',
    groups: [],
    isInitial: false,
    hasValue: false,
    last: '',
    name: '',
    count: 0,
    hasQuestion: false,
});
export const copyHeader = (header) => ({ ...header, groups: [...header.groups] });
export function addWord(header, word, at) {
    if (header.start < 0)
        header.start = at;
    if (header.first === '')
        header.first = word;
    const isJoined = header.last === '::' || header.last === '~';
    header.name = isJoined ? header.name + word : word;
    header.last = word;
    header.count++;
}
/** Add a punctuation character outside parentheses; a string counts as one. */
export function addSign(header, char, at) {
    if (header.start < 0)
        header.start = at;
    header.count++;
    if (char === '(' && !header.isInitial && /^[\p{L}_$]/u.test(header.last))
        header.groups.push(header.name);
    if (char === '=' && header.last !== 'operator')
        header.hasValue = true;
    if (char === '?')
        header.hasQuestion = true;
    if (char === ':' && header.last === ':') {
        header.isInitial = false;
        header.name += '::';
        header.last = '::';
        return;
    }
    else if (char === ':' && header.groups.length > 0)
        header.isInitial = true;
    if (char === '~' && header.last === '::')
        header.name += '~';
    header.last = char;
}
/** True if a following colon ends a label. */
export const isLabel = ({ first, count, hasQuestion }) => !hasQuestion && (first === 'case' || first === 'default' || count === 2);
const attributes = /^(?:__\w+|noexcept|throw|alignas|decltype|requires|_Alignas|typeof|asm|explicit)$/;
const control = /^(?:if|for|while|switch|catch|do|else|return|sizeof|defined)$/;
const scopes = /\b(?:namespace|class|struct|union|extern)\b/;
const maxScopeLength = 200;
/** What a brace opens, by its header and the block around it. */
export function readHeader(header, around, isInParens, text) {
    if (around === 'data')
        return { kind: 'data' };
    if (isInParens)
        return { kind: 'code' };
    if (around === 'code') {
        const isValue = header.hasValue || header.last === ',' || header.last === '(';
        return { kind: isValue ? 'data' : 'code' };
    }
    const isInitializer = header.isInitial && /^[\p{L}_$>]/u.test(header.last);
    if (header.hasValue || isInitializer)
        return { kind: 'data' };
    const name = functionName(header, text);
    if (name !== undefined && !control.test(name))
        return { kind: 'code', name };
    if (header.first === 'enum')
        return { kind: 'data' };
    const words = header.start < 0 ? '' : text.slice(header.start, header.start + maxScopeLength);
    return { kind: scopes.test(words) ? 'scope' : 'code' };
}
/**
 * The last name with parentheses that is neither an attribute nor a macro in capitals after another
 * name.
 */
function functionName({ groups, start }, text) {
    const names = groups.filter((name) => !attributes.test(name));
    const name = names.findLast((candidate) => !isMacroName(candidate)) ?? names[0];
    if (name === undefined)
        return name;
    const header = text.slice(start, start + maxHeaderLength);
    if (isTypeWord(name))
        return nameBehindPointer(header);
    const behind = isMacroName(name) && header.slice(header.indexOf(name) + name.length);
    return (behind && nameOfArguments(/^\s*\(([^()]*)\)/.exec(behind)?.[1] ?? '')) || name;
}
//# sourceMappingURL=header.js.map