import { attempt } from '@pith-mcp/base/attempt'
import { type ReactNode, useRef, useState } from 'react'
import { Link } from 'wouter'
import { type CallAnswer, type CallApproval, useAct, useApprovals } from '../api/hooks.ts'
import { RuleButtons } from '../rules/rule-dialog.tsx'
import { callerName } from '../text/caller-name.ts'
import { countOf } from '../text/numbers.ts'
import { serverPath } from '../text/paths.ts'
import { WriteButton } from '../ui/button.tsx'
import { ChoiceField } from '../ui/fields.tsx'
import { Answered, CodeBlock, Empty, Facts, Page, Panel, ProblemNote } from '../ui/page.tsx'
import { Badge, PlainText } from '../ui/plain-text.tsx'
import { type Column, column, Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import './approvals.css'

export function ApprovalsPage() {
  return (
    <Page
      title="Requests"
      intro="Calls that are made only after a person has approved them. An approval is for exactly this call: the same caller, server, tool, definition and arguments."
    >
      <Answered query={useApprovals()} lines={10}>
        {(calls) => <Calls calls={calls} />}
      </Answered>
    </Page>
  )
}

/** Calls and answers that are shown. */
const maxCards = 50
const maxRows = 200

const endings: Readonly<Record<CallAnswer | 'revoked', string>> = {
  once: 'Approved once',
  session: 'Approved for its session',
  kept: 'Approved until revoked',
  refused: 'Refused',
  revoked: 'Revoked',
}

function Calls({ calls }: { calls: readonly CallApproval[] }) {
  const status = useRef<HTMLParagraphElement>(null)
  const act = useAct({
    send: (api, { id, answer }: { id: string; answer: CallAnswer | 'revoked' }) => {
      const params = { path: { id } }
      return answer === 'revoked'
        ? api.DELETE('/api/v1/approvals/{id}', { params })
        : api.POST('/api/v1/approvals/{id}', { params, body: { answer } })
    },
    invalidates: ['approvals', 'attention'],
    successText: ({ server, tool }, { answer }) => `${endings[answer]}: ${server}.${tool}`,
    // The button is gone. Not to another call: a key that is still pressed would answer it.
    onDone: () => status.current?.focus(),
    isQuiet: true,
  })
  const problem = act.error && <ProblemNote error={act.error} />
  const isBusy = ({ id }: CallApproval) => act.isPending && act.variables.id === id
  // The oldest first: one that arrives moves no button.
  const waitingCalls = calls.filter(({ state }) => state === 'waiting').toReversed()
  const answers = calls.filter(({ state }) => state !== 'waiting')
  const isHere = waitingCalls.some(({ id }) => id === act.variables?.id)
  return (
    <>
      <p ref={status} role="status" tabIndex={-1} className="approvals-status">
        {countOf(waitingCalls.length, 'call waits', 'calls wait')} for approval.
      </p>
      {!isHere && problem}
      {waitingCalls.slice(0, maxCards).map((call) => (
        <WaitingCall
          key={call.id}
          call={call}
          isBusy={isBusy(call)}
          problem={call.id === act.variables?.id && problem}
          onAnswer={(answer) => act.mutate({ id: call.id, answer })}
        />
      ))}
      {waitingCalls.length > maxCards && (
        <p>{countOf(waitingCalls.length - maxCards, 'more call')} will be shown after these.</p>
      )}
      {waitingCalls.length === 0 && (
        <section className="panel" aria-label="Waiting calls">
          <Empty title="Nothing to approve">
            A call waits here if <code>aggregator.permissions</code> says to ask before it is made.
            Add a rule to <code>ask</code> under <Link href="/settings">Settings</Link>.
          </Empty>
        </section>
      )}
      {answers.length > 0 && (
        <AnswersPanel
          calls={answers}
          isBusy={isBusy}
          onRevoke={({ id }) => act.mutate({ id, answer: 'revoked' })}
        />
      )}
    </>
  )
}

/** Requests that are not calls of a tool; rules for them have no rows. */
const reads = new Set(['resources/read', 'resources/directory/read', 'skills/get', 'prompts/get'])

const grants = [
  ['once', 'once'],
  ['session', 'for its session'],
  ['kept', 'until revoked'],
] as const

/** JSON of arguments; what hides a secret may be no JSON any more. */
const indented = (args: string): string =>
  attempt(() => JSON.stringify(JSON.parse(args), null, 2), args)

const askerOf = ({ caller }: CallApproval): string =>
  caller ? callerName(caller) : 'a client without a name'

interface WaitingCallProps {
  call: CallApproval
  isBusy: boolean
  problem: ReactNode
  onAnswer: (answer: CallAnswer) => void
}

/** A call with all that it sends, above the buttons that answer it. */
function WaitingCall({ call, isBusy, problem, onAnswer }: WaitingCallProps) {
  const [grant, setGrant] = useState<string>('once')
  const { server, tool, lookalikes, profile, setting, reason, needsAnother, askedAt, endsAt } = call
  const name = `${server}.${tool}`
  const [answer, reach] = grants.find(([option]) => option === grant) ?? grants[0]
  return (
    <Panel title={name}>
      <div className="waiting-call">
        <Facts
          of={[
            [
              'Server',
              <Link key="server" href={serverPath(server)}>
                <PlainText>{server}</PlainText>
              </Link>,
            ],
            ['Tool', tool],
            ['Letters that only look like others', lookalikes.join(', ') || undefined],
            ['Asked by', askerOf(call)],
            ['Profile', profile],
            ['Because of', reason ? `${setting}: ${reason}` : setting],
            ['Since', <Time key="since" of={askedAt} style="relative" />],
            ['Until', endsAt && <Time key="until" of={endsAt} />],
            ['Approved by', needsAnother && <strong>another person than the caller</strong>],
          ]}
        />
        <CodeBlock label={`Arguments of ${name}`}>{indented(call.args)}</CodeBlock>
        {problem}
        <div className="toolbar">
          <ChoiceField label="Approve" options={grants} value={grant} onChange={setGrant} />
          <WriteButton
            kind="main"
            aria-label={`Approve ${reach}: ${name}`}
            isBusy={isBusy}
            // The second click of two may hit the call that moved here.
            onClick={({ detail }) => detail < 2 && onAnswer(answer)}
          >
            Approve {reach}
          </WriteButton>
          <WriteButton
            kind="danger"
            aria-label={`Refuse: ${name}`}
            isBusy={isBusy}
            onClick={({ detail }) => detail < 2 && onAnswer('refused')}
          >
            Refuse
          </WriteButton>
          {!reads.has(tool) && (
            <RuleButtons
              server={call.server.split('@')[0] ?? ''}
              tool={tool}
              args={attempt(() => JSON.parse(call.args) as unknown, {})}
              caller={call.caller?.replace(/#[^#]*$/, '')}
            />
          )}
        </div>
      </div>
    </Panel>
  )
}

interface AnswersPanelProps {
  calls: readonly CallApproval[]
  isBusy: (call: CallApproval) => boolean
  onRevoke: (call: CallApproval) => void
}

/** The approvals and refusals that count now. */
function AnswersPanel({ calls, isBusy, onRevoke }: AnswersPanelProps) {
  const count = countOf(calls.length, 'answer')
  return (
    <Panel
      title="Valid answers"
      aside={calls.length > maxRows ? `The newest ${maxRows} of ${count}` : count}
      isFlush
    >
      <Table<CallApproval>
        caption="Valid answers"
        rows={calls.slice(0, maxRows)}
        keyOf={({ id }) => id}
        columns={[
          ...columns,
          column('Actions', 'is-narrow', (call) => (
            <WriteButton
              kind="danger"
              aria-label={`Revoke: ${call.server}.${call.tool}`}
              isBusy={isBusy(call)}
              onClick={() => onRevoke(call)}
            >
              Revoke
            </WriteButton>
          )),
        ]}
      />
    </Panel>
  )
}

const columns: readonly Column<CallApproval>[] = [
  column('Call', '', ({ server, tool }) => <PlainText>{`${server}.${tool}`}</PlainText>),
  column('Asked by', '', (call) => <PlainText>{askerOf(call)}</PlainText>),
  column('Arguments', 'answer-arguments', ({ server, tool, args }) => (
    <details>
      <summary>{countOf(args.length, 'character')}</summary>
      <CodeBlock label={`Arguments of ${server}.${tool}`}>{indented(args)}</CodeBlock>
    </details>
  )),
  column('Answer', '', ({ state }) => (
    <Badge tone={state === 'refused' ? 'bad' : 'ok'}>
      {state === 'waiting' ? state : endings[state]}
    </Badge>
  )),
  column('By', '', ({ answeredBy }) => (
    <PlainText>{answeredBy ? callerName(answeredBy) : '–'}</PlainText>
  )),
  column('Valid until', '', ({ endsAt }) => (endsAt ? <Time of={endsAt} /> : 'it is revoked')),
]
