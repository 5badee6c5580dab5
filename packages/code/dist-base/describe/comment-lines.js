/**
 * Tells whether an offset is in a line of comment, by how lines begin: `//`, `/*`, and `#` and `--`
 * before a blank. Offsets are asked for in ascending order.
 */
export function commentLines(text) {
    let end = 0;
    let isComment = false;
    let isOpen = false;
    return (at) => {
        while (at >= end) {
            const start = end;
            const newline = text.indexOf('\n', start);
            end = newline < 0 ? text.length + 1 : newline + 1;
            const line = text.slice(start, end).trimStart();
            isComment = isOpen || /^(?:\/[/*]|#[\s#]|--[\s-])/.test(line);
            if (isOpen || line.startsWith('/*'))
                isOpen = !line.includes('*/', isOpen ? 0 : 2);
        }
        return isComment;
    };
}
//# sourceMappingURL=comment-lines.js.map