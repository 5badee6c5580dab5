/** Languages of the lines around the code of a page. */
export type Locale = 'en' | 'ja'

/** The words of the lines around a page. */
export type Words = (typeof words)['en']

const en = {
  tokensInTotal: (tokens: string) => `~${tokens} tokens in total`,
  recovered: 'extent: recovered (from its braces, because the parser failed)',
  linesOnly: (reason: string) => `lines only: ${reason}`,
  isCorrected: 'one wrong character in the page token was corrected',
  isChanged: 'this page has changed since its token was made',
  beginsInLine: 'begins within a long line',
  endsInLine: 'ends within a long line',
  above: 'above it:',
  repeated: 'repeated from above:',
  fromLine: (line: number) => `from line ${line} on:`,
  parts: (more: string, call: string) =>
    `Parts (first line+lines${more && `, the largest; ${more} more`}); to jump to one, call ${call}:`,
  sameName: 'same name in this file',
  next: 'next',
}

const ja: typeof en = {
  tokensInTotal: (tokens) => `全体で約${tokens}トークン`,
  recovered: '範囲は推定（構文解析に失敗したため、括弧から復元）',
  linesOnly: (reason) => `行単位のみ: ${reason}`,
  isCorrected: 'ページトークンの誤りを1文字訂正しました',
  isChanged: 'このページは、トークンの作成後に変更されています',
  beginsInLine: '長い行の途中から',
  endsInLine: '長い行の途中まで',
  above: '直前の行:',
  repeated: '前のページからの再掲:',
  fromLine: (line) => `${line}行目から:`,
  parts: (more, call) =>
    `構成要素（先頭行+行数${more && `、大きい順に選択、ほか${more}件`}）。移動するには ${call}:`,
  sameName: 'このファイルにある同名の要素',
  next: '次',
}

export const words = { en, ja }
