import { type Aggregator, modes } from '@pith-mcp/aggregator'

/** What the modes cost with these servers; those never seen are asked first. */
export async function stats(aggregator: Aggregator): Promise<string> {
  const { receipt, silent } = await aggregator.receipt()
  const { servers, tools, listTokens } = receipt
  const share = (tokens: number): string =>
    listTokens.full === 0 ? '' : difference(Math.round((tokens / listTokens.full - 1) * 100))
  return [
    `${servers} servers, ${tools} tools. The list of tools costs about:`,
    ...modes.map((mode) => {
      const tokens = listTokens[mode]
      return `  ${mode.padEnd(4)}  ${tokens} tokens${mode === 'full' ? ', as the servers have it' : share(tokens)}`
    }),
    ...(silent.length > 0 ? [`Not counted, since they did not answer: ${silent.join(', ')}.`] : []),
  ].join('\n')
}

const difference = (percent: number): string =>
  percent > 0 ? `, ${percent} % more` : `, ${-percent} % less`
