/** Characters of a statement that are read. */
export const maxRead = 400;
/** Characters of a macro with items in it that are read. */
const maxReadMacro = 20_000;
/** The names that a statement declares by a rule that it begins as. Offsets are of the text. */
export function valueNames(rule, text, start, end) {
    const { names: order, items } = rule;
    if (items)
        return namesOfItems(text.slice(start, Math.min(end, start + maxReadMacro)), items, start);
    if (order === 'behind')
        return namesBehind(text, start, end);
    if (order === 'last' && text[end - 1] !== ';' && text[end] !== ';')
        return [];
    const line = text.slice(start, Math.min(end, start + maxRead));
    const from = rule.at.exec(line)?.[0].length ?? 0;
    // A key in quotation marks.
    const quote = line[from - 1];
    if (quote === "'" || quote === '"')
        return [{ name: line.slice(from).split(quote, 1)[0] ?? '', at: start + from }];
    return namesIn(line.slice(from), order, start + from);
}
/** Items in a macro: those that the pattern of the rule finds line by line. */
const namesOfItems = (text, items, start) => [...text.matchAll(items)].map(({ 0: all, 1: name = '', index }) => ({
    name,
    at: start + index + all.length - name.length,
}));
/** `} a, *b;` behind the body of a type. */
function namesBehind(text, start, end) {
    const from = text.lastIndexOf('}', end) + 1;
    if (from <= start || end - from > maxRead)
        return [];
    // With a word that stands for the type.
    return namesIn(`_ ${text.slice(from, end)}`, 'last', from - 2);
}
const firstWord = /^[ \t]*(?:\.\.\.|\*+|&+|`)?[ \t]*(#?[\p{L}_$][\p{L}\p{N}_$]*)/u;
const lastWord = /(?:\w+\s*::\s*)*([\p{L}_$][\p{L}\p{N}_$]*)\s*(?:\[[^\]]*\]\s*)*$/u;
const pointer = /^[^()]*\(\s*(?:\w+\s*::\s*)?[*^&]*\s*(?:const\s+)?(\w+)\s*(?:\[[^\]]*\]\s*)*\)\s*[([]/;
const isType = /[\w>\])*&?]\s*[\s*&]\s*$/;
const isKeyword = /^(?:operator|this|default|delete|const)$/;
/**
 * The names that a list of declarators binds. The name is the first word of each, as in
 * `a: B = c, d`, or the last one of the first, as in `B<C> a = d, e[2]`.
 */
function namesIn(list, order, start) {
    const names = [];
    for (const { text, at } of declaratorsIn(list)) {
        const isPattern = order !== 'last' && /^\s*[{[]/.test(text);
        if (isPattern)
            names.push(...namesOfPattern(text, start + at));
        else {
            const match = order === 'last' ? lastName(text, names.length === 0) : firstWord.exec(text);
            if (!match)
                break;
            const name = match[1];
            const offset = match.index + match[0].lastIndexOf(name);
            if (name !== '_')
                names.push({ name, at: start + at + offset });
        }
        if (order === 'one')
            break;
    }
    return names;
}
/** The name behind a type, which only the first declarator has. */
function lastName(declarator, isFirst) {
    const text = withoutArguments(declarator);
    const byPointer = pointer.exec(text);
    if (byPointer)
        return byPointer;
    const match = text.includes('(') ? null : lastWord.exec(text);
    if (!match || isKeyword.test(match[1]))
        return undefined;
    return isFirst && !isType.test(text.slice(0, match.index)) ? undefined : match;
}
/** With blanks for what is between `<` and `>`, and for a macro with arguments behind a name. */
function withoutArguments(text) {
    let output = text;
    for (let before = ''; before !== output;) {
        before = output;
        output = output.replace(/<[^<>]*>/g, (all) => ' '.repeat(all.length));
    }
    return output.replace(/(?<=\w\s+)[A-Z][A-Z_\d]+\([^()]*\)\s*$/, (all) => ' '.repeat(all.length));
}
/** `{ a, b: c, ...d }` binds a, c and d. */
const namesOfPattern = (pattern, start) => [...pattern.matchAll(/([\p{L}_$][\p{L}\p{N}_$]*)\s*(?=[,}\]=])/gu)]
    .filter(({ index }) => !/=\s*$/.test(pattern.slice(0, index)))
    .map(({ 1: name, index }) => ({ name: name, at: start + index }));
/** Strings and signs; `<` and `>` of type arguments, not of `a < b`, `->` and `=>`. */
const signs = /(?:"""|''')[\s\S]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|["'`([{)\]},;=]|<(?![ \t=])|(?<![-= \t])>|(?<!:):(?!:)/g;
/** Declarators between commas, without their values, up to the end of the statement. */
function declaratorsIn(list) {
    const parts = [];
    const brackets = [];
    let begin = 0;
    let valueAt;
    const close = (at) => {
        parts.push({ text: list.slice(begin, valueAt ?? at), at: begin });
        begin = at + 1;
        valueAt = undefined;
    };
    for (const { 0: sign, index } of list.matchAll(signs)) {
        const isOutside = brackets.every((bracket) => bracket === '<');
        if (/^[)\]}>]/.test(sign)) {
            if (!closes(brackets, sign))
                break;
        }
        else if (/^[([{<]/.test(sign)) {
            // The body of what has a name.
            if (sign === '{' && isOutside && list.slice(begin, index).trim() !== '')
                valueAt ??= index;
            brackets.push(sign);
        }
        else if (sign === ';' && isOutside) {
            close(index);
            return parts;
        }
        else if (brackets.length > 0 || sign.startsWith('`'))
            continue;
        else if (sign === ',')
            close(index);
        else
            valueAt ??= index;
    }
    close(list.length);
    return parts;
}
/** Takes away the bracket that is closed; false if none is. */
function closes(brackets, sign) {
    if (sign === '>') {
        if (brackets.at(-1) === '<')
            brackets.pop();
        return true;
    }
    while (brackets.at(-1) === '<')
        brackets.pop();
    return brackets.pop() !== undefined;
}
//# sourceMappingURL=value-names.js.map