export type { Chunk, ChunkOptions, Part } from './chunk/chunk.ts';
export { CodeError, type CodeErrorCode } from './code-error.ts';
export type { Code, FoundFiles, FoundSymbols } from './create-code.ts';
export { type CodeOptions, createCode } from './create-code.ts';
export type { SymbolKind } from './languages/language.ts';
export type { Outline, OutlineEntry } from './outline/outline.ts';
export type { Breadcrumb } from './paging/breadcrumbs.ts';
export type { Leading } from './paging/leading.ts';
export type { ReferenceOptions, References } from './references/references.ts';
export type { FileUses, UsedIn } from './references/uses.ts';
export type { Account, Unparsed } from './search/account.ts';
export type { QueryMatch, SymbolHit } from './search/symbol-hit.ts';
export type { SearchOptions, SearchResult } from './search/symbol-search.ts';
export { defaultPageTokens, maxPageTokens } from './text/page-size.ts';
//# sourceMappingURL=index.d.ts.map