import type { SourceFiles } from '../outline/source-files.ts';
import type { Chunk, ChunkOptions } from './chunk.ts';
import { type PageDefaults } from './read-chunk.ts';
/** What chunks are read from. */
export interface ChunkDeps {
    files: SourceFiles;
    defaults: PageDefaults;
}
/** A page of the symbol with a name. A whole id is accepted as the name. */
export declare function functionChunk({ files, defaults }: ChunkDeps, path: string, query: string, options?: ChunkOptions): Promise<Chunk>;
/** The page of a token that works alone. */
export declare function pageOf(deps: ChunkDeps, token: string, options?: Omit<ChunkOptions, 'pageToken'>): Promise<Chunk>;
/** A page of what an id names: a symbol, or a whole file. */
export declare function chunkOf(deps: ChunkDeps, id: string, options?: ChunkOptions): Promise<Chunk>;
//# sourceMappingURL=function-chunk.d.ts.map