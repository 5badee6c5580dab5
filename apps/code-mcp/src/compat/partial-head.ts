import type { Chunk } from '@pith-mcp/code'
import type { Locale } from '../render/words.ts'

/**
 * The three sentences that a page begins with in the design of paging: that it is a part, which part,
 * and how to ask for the next and the previous one. None for a chunk of one page.
 */
export function partialHead(chunk: Chunk, tool: string, locale: Locale): string[] {
  const { isPartial, nextPageToken: next, prevPageToken: previous } = chunk
  return isPartial ? heads[locale](chunk, tool, next, previous) : []
}

type Head = (chunk: Chunk, tool: string, next?: string, previous?: string) => string[]

const heads: Readonly<Record<Locale, Head>> = {
  en: (
    { symbol, currentPage, totalPages, startLine, endLine, totalLines },
    tool,
    next,
    previous,
  ) => {
    const ask = (way: string, token: string) =>
      `To get the ${way} part, call the \`${tool}\` tool with \`pageToken: "${token}"\`.`
    return [
      `This ${symbol?.kind ?? 'file'} is very large, so only a part of it is shown.`,
      `Page ${currentPage}/${totalPages}, lines ${startLine}-${endLine} of ${totalLines}.`,
      [...(next ? [ask('next', next)] : []), ...(previous ? [ask('previous', previous)] : [])].join(
        ' ',
      ),
    ]
  },
  ja: (
    { symbol, currentPage, totalPages, startLine, endLine, totalLines },
    tool,
    next,
    previous,
  ) => {
    const ask = (way: string, token: string) =>
      `${way}の部分を取得するには、\`${tool}\` ツールに \`pageToken: "${token}"\` を指定してリクエストしてください。`
    return [
      `この${kinds[symbol?.kind ?? ''] ?? (symbol ? '要素' : 'ファイル')}は巨大なため、一部のみを表示しています。`,
      `${currentPage}/${totalPages}ページ目、${startLine}-${endLine}行目（全${totalLines}行）`,
      [...(next ? [ask('次', next)] : []), ...(previous ? [ask('前', previous)] : [])].join(''),
    ]
  },
}

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
