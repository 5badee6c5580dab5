import { type CodeErrorCode } from '../code-error.ts';
import type { KnownSymbols } from '../outline/known-symbols.ts';
import type { Candidates, Described, Scope } from './candidates.ts';
import { type FoundNames } from './find-files.ts';
import { type Batch, type Mentions } from './indexed-search.ts';
import type { Words } from './query-words.ts';
/** What the thread is asked, with all it needs. */
export interface Question {
    folders: readonly string[];
    /** File of the index, if there is to be one. */
    database?: string | undefined;
    maxFileBytes: number;
    /** Not 0 once the answer is no longer wanted. */
    stop: Int32Array;
    ask: Ask;
}
export type Ask = {
    type: 'candidates';
    readings: readonly Words[];
    scope: Scope;
} | {
    type: 'describe';
    query: string;
    scope: Scope;
} | {
    type: 'mentions';
    name: string;
    scope: Scope;
} | {
    type: 'containing';
    name: string;
    files: readonly string[];
} | {
    type: 'symbols';
    real: string;
} | {
    type: 'batch';
    maxFiles: number | undefined;
    isFirst: boolean;
} | {
    type: 'files';
    pattern: string;
    maxFiles: number | undefined;
};
export interface Answers {
    candidates: Candidates;
    describe: Described | undefined;
    mentions: Mentions;
    containing: readonly string[];
    symbols: KnownSymbols | undefined;
    /** Undefined if nothing is left to index. */
    batch: Batch | undefined;
    files: FoundNames;
}
export type Answer = {
    answer: Answers[Ask['type']];
} | {
    refused: {
        code: CodeErrorCode;
        message: string;
        remedy: string;
    };
};
/** Entry point of the worker of `createSearchThread`. Errors of the caller are results. */
export default function answer(question: Question): Promise<Answer>;
//# sourceMappingURL=search-worker.d.ts.map