import { CodeError, checkLength, maxNameLength, maxPathLength } from '../code-error.js';
import { ambiguous, findSymbols, noSuchSymbol } from '../outline/find-symbols.js';
import { readAddress } from './page-address.js';
import { isTokenOf, readChunk } from './read-chunk.js';
/** A page of the symbol with a name. A whole id is accepted as the name. */
export async function functionChunk({ files, defaults }, path, query, options = {}) {
    checkLength('The path', path, maxPathLength);
    checkLength('The name', query, maxNameLength);
    const file = await files.get(path);
    const name = query.startsWith(`${file.path}#`) ? query.slice(file.path.length + 1) : query;
    const placed = placedOptions(options);
    const candidates = meantBy(placed.pageToken, await findSymbols(name, file), file);
    const [symbol] = candidates;
    if (!symbol)
        throw await noSuchSymbol(name, file);
    if (candidates.length > 1)
        throw ambiguous(name, candidates, file);
    const namesakes = file.symbols.filter((definition) => definition !== symbol && definition.name === symbol.name && !name.includes('/'));
    return {
        ...readChunk(file, symbol, placed, defaults),
        ...(namesakes.length > 0 && { others: namesakes.map((namesake) => namesake.path) }),
    };
}
/** At most this many symbols of one name are compared with a token. */
const maxSameName = 64;
/** Of symbols with one name, the one of a page token; else those that the name means. */
function meantBy(pageToken, candidates, file) {
    if (!pageToken)
        return candidates;
    const [first] = candidates;
    if (candidates.length === 1 && first && isTokenOf(file, first, pageToken))
        return candidates;
    const names = new Set(candidates.map(({ bare }) => bare));
    const fitting = file.symbols
        .filter(({ bare }) => names.has(bare))
        .slice(0, maxSameName)
        .filter((symbol) => isTokenOf(file, symbol, pageToken));
    return fitting.length === 1 ? fitting : candidates;
}
/** A page token that works alone, in its parts. */
const placedOptions = ({ pageToken, ...rest }) => ({
    ...rest,
    pageToken: pageToken === undefined ? undefined : (readAddress(pageToken) ?? pageToken),
});
/** The page of a token that works alone. */
export async function pageOf(deps, token, options = {}) {
    checkLength('The page token', token, maxPathLength + maxNameLength);
    const address = readAddress(token);
    if (address)
        return chunkOf(deps, address.id, { ...options, pageToken: token });
    throw new CodeError('bad_argument', `${JSON.stringify(token.slice(0, 100))} is not a page token that works alone.`, 'Copy the whole token of a reply, or pass what it is of, too.');
}
/** A page of what an id names: a symbol, or a whole file. */
export async function chunkOf(deps, id, options = {}) {
    checkLength('The id', id, maxPathLength + maxNameLength);
    const { path, name, pageToken } = await readId(id, deps.files);
    const readOptions = { ...options, pageToken: options.pageToken ?? pageToken };
    if (name !== undefined)
        return functionChunk(deps, path, name, readOptions);
    return readChunk(await deps.files.get(path), undefined, placedOptions(readOptions), deps.defaults);
}
/** At most this many `#` of an id are tried as the end of its path. */
const maxMarks = 8;
/**
 * Split an id. Paths and names may also contain `#`, and paths `@`, so the longest prefix that is a
 * file is its path.
 */
async function readId(id, files) {
    if (await isFile(id, files))
        return { path: id };
    const [, bareId = id, pageToken] = /^([\s\S]*)@(\d{1,15}\.[\da-z]{6})$/i.exec(id) ?? [];
    const rest = pageToken === undefined ? {} : { pageToken };
    if (await isFile(bareId, files))
        return { path: bareId, ...rest };
    const marks = [...bareId.matchAll(/#/g)].map(({ index }) => index).slice(-maxMarks);
    for (const mark of marks.reverse()) {
        const path = bareId.slice(0, mark);
        if (await isFile(path, files))
            return { path, name: bareId.slice(mark + 1), ...rest };
    }
    // No prefix is a file: the error is that of the shortest path.
    const mark = bareId.indexOf('#');
    return {
        path: mark < 0 ? bareId : bareId.slice(0, mark),
        ...(mark >= 0 && { name: bareId.slice(mark + 1) }),
        ...rest,
    };
}
/** Other errors than `not_found` are thrown when the file is read. */
const isFile = (path, files) => files
    .has(path)
    .catch((error) => !(error instanceof CodeError && error.code === 'not_found'));
//# sourceMappingURL=function-chunk.js.map