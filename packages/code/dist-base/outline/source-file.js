import { nothing } from '../parse/parsed.js';
import { column, flagBits, isBelow, isRecovered, rowSize, } from '../parse/symbol-table.js';
import { inTurns } from '../text/in-turns.js';
import { createLines } from '../text/lines.js';
/** The symbols of a table, in turns: there may be 100,000 of them. */
async function symbolsOf({ rows, names, kinds }, areValues = false) {
    const symbols = new Array(rows.length / rowSize);
    let at = 0;
    await inTurns(symbols, (_, index) => {
        const value = (place) => rows[index * rowSize + place];
        const segment = names.slice(at, at + value(column.path));
        at += segment.length;
        const parent = value(column.parent) - 1;
        const code = value(column.kind);
        const bare = code & isBelow ? `${symbols[parent]?.bare}/${segment}` : segment;
        const number = value(column.number);
        symbols[index] = {
            name: segment.slice(segment.length - value(column.name)),
            bare,
            path: number === 0 ? bare : `${bare}[${number - 1}]`,
            kind: kinds[code >> flagBits],
            start: value(column.start),
            body: value(column.body),
            end: value(column.end),
            isDeclaration: !areValues && value(column.body) >= value(column.end),
            parent,
            extent: code & isRecovered ? 'recovered' : 'parsed',
            tokens: value(column.tokens),
        };
    });
    return symbols;
}
export async function createSourceFile(path, text, syntax) {
    const { parsed = nothing, symbols, values, language, unparsed } = syntax;
    return {
        path,
        text,
        lines: createLines(text),
        symbols: symbols ? await symbolsOf(symbols) : [],
        values: values ? await symbolsOf(values, true) : [],
        parsed,
        ...(language && { language }),
        ...(unparsed !== undefined && { unparsed }),
    };
}
//# sourceMappingURL=source-file.js.map