import { LRUCache } from 'lru-cache';
import { readText, stampOf } from '../access/read-text.js';
import { languageOf } from '../languages/all-languages.js';
import { createSourceFile } from './source-file.js';
export function createSourceFiles(roots, parser, limits) {
    const cache = new LRUCache({
        maxSize: limits.maxCacheBytes,
        sizeCalculation: ({ file: { text, parsed, symbols } }) => text.length + parsed.units.byteLength + symbols.length * 200 + 1,
    });
    const reading = new Map();
    return {
        /** True if the file exists. @throws {CodeError} `not_found`, `not_allowed`. */
        has: async (path) => (await roots.resolve(path)) !== '',
        get: (path) => get(path),
        outlined: (real, known) => outlined(real, known),
    };
    /**
     * The current content of a file, read and parsed again only if it has changed.
     *
     * @throws {CodeError} `not_found`, `not_allowed`, `not_text`, `too_large`.
     */
    async function get(path) {
        const real = await roots.resolve(path);
        const pending = reading.get(real);
        if (pending)
            return pending;
        const promise = current(real);
        reading.set(real, promise);
        return promise.finally(() => reading.delete(real));
    }
    /** The current content of a file with these symbols, unless it has changed since. */
    async function outlined(real, known) {
        const name = roots.nameOf(real);
        const { text, stamp } = await readText(real, name, limits.maxFileBytes);
        if (stamp !== known.stamp)
            return get(real);
        const { outlines, unparsed } = known;
        const language = languageOf(name, text);
        return createSourceFile(name, text, {
            ...(language && { language }),
            ...outlines,
            ...(unparsed !== undefined && { unparsed }),
        });
    }
    async function current(real) {
        const entry = cache.get(real);
        if (entry &&
            !entry.isFresh &&
            entry.stamp === (await stampOf(real).catch(() => undefined))?.stamp)
            return entry.file;
        const name = roots.nameOf(real);
        const { text, bytes, stamp, isFresh } = await readText(real, name, limits.maxFileBytes);
        const file = entry?.file.text === text ? entry.file : await parsed(name, text, bytes);
        cache.set(real, { stamp, isFresh, file });
        return file;
    }
    async function parsed(name, text, bytes) {
        const language = languageOf(name, text);
        if (!language)
            return createSourceFile(name, text, { unparsed: 'its language is not supported' });
        if (text.length > limits.maxParseBytes)
            return createSourceFile(name, text, {
                language,
                unparsed: `it is larger than ${Number((limits.maxParseBytes / 1e6).toPrecision(3))} MB, the limit for parsing`,
            });
        const outcome = await parser
            .parse(bytes, language.name)
            .catch(({ message }) => ({ unparsed: `parsing failed (${message})` }));
        return createSourceFile(name, text, { language, ...outcome });
    }
}
//# sourceMappingURL=source-files.js.map