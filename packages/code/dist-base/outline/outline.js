import { filterInTurns, inTurns } from '../text/in-turns.js';
import { rankSymbols, symbolFields } from './rank-symbols.js';
import { listedSymbol } from './signature.js';
/**
 * The symbols of a file; with a query, those below a name path (`Class/`), or those whose names or
 * signatures contain its words.
 */
export async function outlineOf(file, query) {
    const { path, language, symbols, unparsed, lines } = file;
    const depths = [];
    const inside = new Uint32Array(symbols.length);
    for (const { parent } of symbols)
        depths.push(parent < 0 ? 0 : depths[parent] + 1);
    // Parents are before their children.
    for (let at = symbols.length - 1; at >= 0; at--) {
        const { parent } = symbols[at];
        if (parent >= 0)
            inside[parent] = inside[parent] + inside[at] + 1;
    }
    const entries = [];
    await inTurns(symbols, (symbol, index) => {
        const { path: name, kind, signature, startLine, endLine } = listedSymbol(file, symbol);
        // Not spread, which takes ten times as long.
        entries.push({
            path: name,
            kind,
            signature,
            startLine,
            endLine,
            tokens: symbol.tokens,
            depth: depths[index],
            inside: inside[index],
            extent: symbol.extent,
        });
    });
    return {
        file: path,
        ...(language && { language: language.name }),
        totalLines: lines.count,
        ...(query ? await matching(entries, query.trim()) : { entries }),
        total: entries.length,
        hasErrors: file.parsed.hasErrors,
        ...(unparsed !== undefined && { unparsed }),
    };
}
async function matching(entries, query) {
    const holder = query.endsWith('/') ? query : `${query}/`;
    const within = await filterInTurns(entries, ({ path }) => path.startsWith(holder));
    if (query.endsWith('/') && within.length > 0) {
        const itself = await filterInTurns(entries, ({ path }) => path === holder.slice(0, -1));
        return { entries: [...itself, ...within] };
    }
    const { ranked, unranked } = await rankSymbols(entries, query, symbolFields);
    return { entries: ranked, ...(unranked > 0 && { unranked }) };
}
//# sourceMappingURL=outline.js.map