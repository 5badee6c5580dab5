import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { markUsed, pruneFiles } from '#base/sqlite-files';
import { within } from '#base/within';
import { openRoots } from './access/roots.js';
import { chunkOf, functionChunk, pageOf } from './chunk/function-chunk.js';
import { CodeError, checkLength, maxNameLength, maxPathLength } from './code-error.js';
import { outlineOf } from './outline/outline.js';
import { createSourceFiles } from './outline/source-files.js';
import { createParser } from './parse/parse-pool.js';
import { referencesTo } from './references/references.js';
import { callables } from './search/read-query.js';
import { createSearchThread } from './search/search-thread.js';
import { asideOf } from './search/symbol-hit.js';
import { placeOf, SymbolSearch, } from './search/symbol-search.js';
import { createIndexBuilder } from './symbol-index/index-builder.js';
import { defaultPageTokens, readPageSize } from './text/page-size.js';
/**
 * Open folders of source code.
 *
 * @throws {CodeError} `not_found` for a root that is not a folder, `bad_argument` for an invalid
 * page size.
 */
export async function createCode(options) {
    const { maxParseBytes = 16_000_000, maxFileBytes = 32_000_000, parseTimeoutMs = 20_000, searchWaitMs = 20_000, maxCacheBytes = 96_000_000, } = options;
    const defaults = readDefaults(options);
    const roots = await openRoots(options.roots);
    const parser = createParser({ timeoutMs: parseTimeoutMs });
    const files = createSourceFiles(roots, parser, { maxFileBytes, maxParseBytes, maxCacheBytes });
    const database = await databaseIn(options.cacheFolder, roots.folders);
    const thread = createSearchThread({ folders: roots.folders, maxFileBytes, database });
    const builder = database === undefined || options.fillsIndex === false
        ? undefined
        : createIndexBuilder({ database, maxFileBytes, maxParseBytes, parseTimeoutMs }, (isFirst) => thread.nextBatch(options.maxFiles, isFirst));
    void builder?.fill();
    const search = new SymbolSearch(roots, files, thread, {
        waitMs: searchWaitMs,
        maxFiles: options.maxFiles,
    });
    const chunks = { files, defaults };
    return {
        functionChunk: (path, name, chunkOptions) => functionChunk(chunks, path, name, chunkOptions),
        chunk: (id, chunkOptions) => chunkOf(chunks, id, chunkOptions),
        page: (token, chunkOptions) => pageOf(chunks, token, chunkOptions),
        async outline(path, query = '') {
            checkLength('The path', path, maxPathLength);
            checkLength('The query', query, maxNameLength);
            return outlineOf(await files.get(path), query);
        },
        async findFunctions(query, searchOptions) {
            checkLength('The query', query, maxNameLength);
            checkLength('The path', searchOptions?.path ?? '', maxPathLength);
            if (query.trim() === '')
                throw new CodeError('bad_argument', 'The query is empty.', 'Pass a name, or words of a name.');
            // Words are compared with what is indexed.
            if (/\s/.test(query.trim()) && builder)
                await within(maxIndexMs, builder.fill(), 'The index is not whole.').catch(() => { });
            const found = await search.find(query, searchOptions);
            void builder?.fill();
            return { ...found, bodies: await bodiesOf(found, (id) => chunkOf(chunks, id)) };
        },
        async references(name, { path, ...referenceOptions } = {}) {
            checkLength('The name', name, maxNameLength);
            checkLength('The path', path ?? '', maxPathLength);
            const { maxFiles } = options;
            const scope = { ...(await placeOf(roots, path)), maxFiles, waitMs: searchWaitMs };
            return referencesTo({ roots, files, thread }, name, scope, referenceOptions);
        },
        async findFiles(pattern, maxResults = 50) {
            const { names, account } = await thread.files(pattern, options.maxFiles);
            return { ...account, files: names.slice(0, maxResults), total: names.length };
        },
        async index() {
            await builder?.fill();
        },
        async close() {
            await Promise.all([parser.close(), thread.close(), builder?.close()]);
        },
    };
}
/** Milliseconds that a description waits for the index. */
const maxIndexMs = 5_000;
/** Callables may have a page; of other symbols, a longer text is not returned with their place. */
const maxBodyTokens = 250;
/** Of what words describe, so many texts are returned. */
const maxBodies = 2;
/** The text of the only hit outside tests that has the name of the query, or of what words describe. */
async function bodiesOf({ match, hits }, read) {
    const [hit, second] = hits;
    const isClear = hit && asideOf(hit) === 0 && (!second || asideOf(second) > 0);
    const isDescribed = match === 'description';
    if (!isDescribed && !(match === 'name' && isClear))
        return [];
    const bodies = [];
    for (const { id, kind } of hits.slice(0, isDescribed ? maxBodies : 1)) {
        const chunk = await read(id).catch(() => undefined);
        const isShort = (callables.has(kind) && !isDescribed) || (chunk?.totalTokens ?? 0) <= maxBodyTokens;
        if (!chunk || chunk.isPartial || !isShort)
            break;
        bodies.push(chunk);
    }
    return bodies;
}
/** The file of the index of these folders; undefined without a folder that can be written. */
async function databaseIn(cacheFolder, folders) {
    if (cacheFolder === undefined)
        return undefined;
    const name = createHash('sha256').update(JSON.stringify(folders)).digest('hex').slice(0, 24);
    const database = join(cacheFolder, 'index', `${name}.sqlite`);
    try {
        await mkdir(dirname(database), { recursive: true });
        await pruneFiles(dirname(database));
        await markUsed(database);
        return database;
    }
    catch {
        return undefined;
    }
}
/** @throws {CodeError} `bad_argument` for an invalid page size. */
function readDefaults({ pageSize = defaultPageTokens, pagingThreshold, }) {
    return {
        size: readPageSize(pageSize),
        pagingThreshold: pagingThreshold === undefined ? undefined : readPageSize(pagingThreshold),
    };
}
//# sourceMappingURL=create-code.js.map