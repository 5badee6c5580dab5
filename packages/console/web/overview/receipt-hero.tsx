import { useAct, useUsage } from '../api/hooks.ts'
import type { Schemas } from '../api/schemas.ts'
import { useConsole } from '../api/use-console.ts'
import { Bar } from '../charts/bar.tsx'
import {
  countOf,
  formatCount,
  formatMilliseconds,
  formatShare,
  formatTokens,
} from '../text/numbers.ts'
import { WriteButton } from '../ui/button.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import './receipt-hero.css'

const modes = [
  ['full', 'Without Pith'],
  ['list', 'Names and summaries'],
  ['meta', 'Meta-tools'],
] as const

/** What the tool list costs a client on every turn, with and without Pith. */
export function ReceiptHero({ receipt }: { receipt: Schemas['Receipt'] }) {
  const { mode, listTokens, silent, servers, tools } = receipt
  const cost = listTokens[mode]
  const share = listTokens.full > 0 ? 1 - cost / listTokens.full : 0
  return (
    <div className="receipt">
      <div className="receipt-words">
        <p className="receipt-lead">
          <strong>{formatShare(Math.max(0, share))}</strong> of the tool list stays out of the
          context
        </p>
        <p className="receipt-line">
          A client reads <b>{formatCount(cost)}</b> tokens of tools on every turn instead of{' '}
          <b>{formatCount(listTokens.full)}</b>, for {countOf(tools, 'tool')} of{' '}
          {countOf(servers, 'server')}.
        </p>
        <dl className="receipt-bars">
          {modes.map(([name, words]) => (
            <div key={name} className={name === mode ? 'is-served' : undefined}>
              <dt>
                {words} <code>{name}</code>
                {name === mode && <span> in use</span>}
              </dt>
              <dd>
                <Bar
                  share={listTokens.full > 0 ? listTokens[name] / listTokens.full : 0}
                  series={name === 'full' ? 8 : 1}
                />
                <b>{formatTokens(listTokens[name])}</b>
              </dd>
            </div>
          ))}
        </dl>
        <Silent silent={silent} />
      </div>
      <Week />
    </div>
  )
}

function Week() {
  const { session } = useConsole()
  const total = useUsage({ by: 'caller', since: '7d', limit: 1 }).data?.total
  const facts = [
    ['Tokens saved', total && formatTokens(total.tokensSaved), 'in 7 days'],
    ['Calls', total && formatCount(total.calls), undefined],
    ['Failed', total && formatShare(total.calls > 0 ? total.errors / total.calls : 0), undefined],
    ['Refused', total && formatCount(total.refused), 'by a rule or limit'],
    ['p95 latency', total && formatMilliseconds(total.p95), undefined],
    ['Clients', formatCount(session.clients), undefined],
  ] as const
  return (
    <dl className="receipt-facts">
      {facts.map(([name, value, more]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <b>{value ?? '…'}</b>
            {more && <span>{more}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Silent({ silent }: { silent: string[] }) {
  const act = useAct({
    send: (api) => api.POST('/api/v1/receipt'),
    invalidates: ['receipt', 'servers', 'tools'],
    successText: ({ silent: servers }) =>
      servers.length === 0
        ? 'All servers are counted.'
        : `${countOf(servers.length, 'server')} did not respond.`,
  })
  if (silent.length === 0) return null
  return (
    <p className="receipt-silent">
      {countOf(silent.length, 'server')} not counted, as no tools are known yet:{' '}
      <PlainText>{silent.slice(0, 4).join(', ')}</PlainText>
      {silent.length > 4 && ' …'}{' '}
      <WriteButton isBusy={act.isPending} onClick={() => act.mutate(undefined)}>
        Start server
      </WriteButton>
    </p>
  )
}
