import type { Chunk } from '@pith-mcp/code'
import type { Locale } from '../render/words.ts'

/**
 * The three sentences that a page begins with in the design of paging: that it is a part, which part,
 * and how to ask for the next and the previous one. None for a chunk of one page.
 */
export function partialHead(chunk: Chunk, tool: string, locale: Locale): string[] {
  const { isPartial, nextPageToken, prevPageToken } = chunk
  if (!isPartial) return []
  const { isPart, place, ask, next, previous, between } = sentences[locale]
  const requests = [
    ...(nextPageToken ? [ask(next, tool, nextPageToken)] : []),
    ...(prevPageToken ? [ask(previous, tool, prevPageToken)] : []),
  ]
  return [isPart(chunk.symbol?.kind), place(chunk), requests.join(between)]
}

const en = {
  isPart: (kind: string = 'file') => `This ${kind} is very large, so only a part of it is shown.`,
  place: ({ currentPage, totalPages, startLine, endLine, totalLines }: Chunk) =>
    `Page ${currentPage}/${totalPages}, lines ${startLine}-${endLine} of ${totalLines}.`,
  ask: (way: string, tool: string, token: string) =>
    `To get the ${way} part, call the \`${tool}\` tool with \`pageToken: "${token}"\`.`,
  next: 'next',
  previous: 'previous',
  between: ' ',
}

const ja: typeof en = {
  isPart: (kind) =>
    `この${kind === undefined ? 'ファイル' : (kinds[kind] ?? '要素')}は巨大なため、一部のみを表示しています。`,
  place: ({ currentPage, totalPages, startLine, endLine, totalLines }) =>
    `${currentPage}/${totalPages}ページ目、${startLine}-${endLine}行目（全${totalLines}行）`,
  ask: (way, tool, token) =>
    `${way}の部分を取得するには、\`${tool}\` ツールに \`pageToken: "${token}"\` を指定してリクエストしてください。`,
  next: '次',
  previous: '前',
  between: '',
}

const sentences = { en, ja }

/** Other kinds are called an element. */
const kinds: Readonly<Record<string, string>> = {
  function: '関数',
  method: '関数',
  constructor: '関数',
  accessor: '関数',
  class: 'クラス',
  interface: 'インターフェース',
  struct: '構造体',
  enum: '列挙型',
}
