const rawStringPattern = /(?:u8|[uUL])?R"([^\s()\\]{0,16})\(/y;
/**
 * Call `visit` for each word, punctuation character, string, comment and directive, in order. Never
 * fails: an unclosed token ends with its line or with the text.
 */
export function scanTokens(text, lexis, visit) {
    let at = 0;
    let isLineStart = true;
    const give = (kind, end) => {
        visit(kind, at, end);
        at = end;
    };
    while (at < text.length) {
        const code = text.charCodeAt(at);
        if (code === newline)
            isLineStart = true;
        if (isBlankCode(code)) {
            at++;
            continue;
        }
        const isFirst = isLineStart;
        isLineStart = false;
        // Words first: most tokens are.
        if (isWordCode(code)) {
            const raw = lexis.hasRawStrings ? rawStringEnd(text, at) : 0;
            if (raw > 0)
                give('text', raw);
            else
                give('word', wordEnd(text, at));
            continue;
        }
        const char = text[at];
        if (char === '#' && isFirst && lexis.hasPreprocessor)
            give('directive', directiveEnd(text, at));
        else if (char === '/' && text[at + 1] === '/')
            give('comment', lineEnd(text, at));
        else if (char === '/' && text[at + 1] === '*') {
            give('comment', behind(text, '*/', at + 2));
            isLineStart = isFirst;
        }
        else if (char === '"' || char === "'" || char === '`' || char === '@')
            give(...quoted(text, at, lexis));
        else
            give('sign', at + 1);
    }
}
const newline = 10;
/** White space, or a backslash. */
const isBlankCode = (code) => code === 32 || code === newline || code === 9 || code === 13 || code === 92;
/** Letters, digits, `_`, `$`, and any character outside ASCII. */
const isWordCode = (code) => (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 36 ||
    code > 127;
function wordEnd(text, from) {
    let at = from;
    do
        at++;
    while (isWordCode(text.charCodeAt(at)) || isSeparator(text, from, at));
    return at;
}
/** True at the quotation mark in a number: `1'000`. */
const isSeparator = (text, from, at) => text[at] === "'" && /^\d/.test(text[from]) && /[\da-f]/i.test(text[at + 1] ?? '');
function quoted(text, at, lexis) {
    const char = text[at];
    if (char === '@')
        return lexis.hasVerbatim && text[at + 1] === '"'
            ? ['text', verbatimEnd(text, at + 2)]
            : ['sign', at + 1];
    if (char === '`')
        return lexis.hasBackticks ? ['text', behind(text, '`', at + 1)] : ['sign', at + 1];
    if (char === '"' && lexis.hasTextBlocks && text.startsWith('"""', at))
        return ['text', behind(text, '"""', at + 3)];
    // A lifetime, unless a closing quote follows soon.
    if (char === "'" &&
        lexis.hasLifetimes &&
        !/^'(?:\\.|[^\\'])[^']{0,8}'/u.test(text.slice(at, at + 12)))
        return ['sign', at + 1];
    return ['text', quoteEnd(text, at)];
}
/** The offset after the closing quotation mark, or the end of the line. */
function quoteEnd(text, open) {
    const mark = text[open];
    for (let at = open + 1; at < text.length; at++) {
        const char = text[at];
        if (char === '\\')
            at++;
        else if (char === mark)
            return at + 1;
        else if (char === '\n')
            return at;
    }
    return text.length;
}
function verbatimEnd(text, from) {
    for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2))
        if (text[at + 1] !== '"')
            return at + 1;
    return text.length;
}
function rawStringEnd(text, at) {
    if (!'RuUL'.includes(text[at]))
        return 0;
    rawStringPattern.lastIndex = at;
    const match = rawStringPattern.exec(text);
    return match ? behind(text, `)${match[1]}"`, rawStringPattern.lastIndex) : 0;
}
/** A backslash at the end of a line or an open comment continues a directive. */
function directiveEnd(text, from) {
    for (let at = from; at < text.length; at++) {
        const char = text[at];
        if (char === '\n')
            return at;
        if (char === '\\')
            at += text.startsWith('\r\n', at + 1) ? 2 : 1;
        else if (char === '/' && text[at + 1] === '*')
            at = behind(text, '*/', at + 2) - 1;
        else if (char === '/' && text[at + 1] === '/')
            return lineEnd(text, at);
    }
    return text.length;
}
function behind(text, mark, from) {
    const at = text.indexOf(mark, from);
    return at < 0 ? text.length : at + mark.length;
}
function lineEnd(text, from) {
    // A backslash at the end of a line continues a comment.
    for (let at = text.indexOf('\n', from); at >= 0; at = text.indexOf('\n', at + 1))
        if (text[at - 1] !== '\\')
            return at;
    return text.length;
}
//# sourceMappingURL=scan-tokens.js.map