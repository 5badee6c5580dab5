import { rootsOf } from '../access/roots.js';
import { CodeError } from '../code-error.js';
import { findFilesIn } from './find-files.js';
import { IndexedSearch } from './indexed-search.js';
const searches = new Map();
/** Entry point of the worker of `createSearchThread`. Errors of the caller are results. */
export default async function answer(question) {
    const { folders, database, maxFileBytes } = question;
    const key = JSON.stringify([folders, database, maxFileBytes]);
    const opening = searches.get(key) ?? IndexedSearch.open(rootsOf(folders), maxFileBytes, database);
    searches.set(key, opening);
    try {
        return { answer: await answerOf(await opening, question) };
    }
    catch (error) {
        if (!(error instanceof CodeError))
            throw error;
        const { code, message, remedy } = error;
        return { refused: { code, message, remedy } };
    }
}
function answerOf(search, { folders, ask, stop }) {
    const isStopped = () => Atomics.load(stop, 0) !== 0;
    switch (ask.type) {
        case 'candidates':
            return search.candidates(ask.readings, ask.scope, isStopped);
        case 'describe':
            return search.describe(ask.query, ask.scope, isStopped);
        case 'mentions':
            return search.mentions(ask.name, ask.scope, isStopped);
        case 'containing':
            return search.containing(ask.name, ask.files);
        case 'symbols':
            return search.symbolsOf(ask.real);
        case 'batch':
            return search.nextBatch(ask.maxFiles, ask.isFirst);
        case 'files':
            return findFilesIn(rootsOf(folders), ask.pattern, ask.maxFiles);
    }
}
//# sourceMappingURL=search-worker.js.map