import { type ReactNode, useRef } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../api/answer-of.ts'
import { useAct, useApprovals } from '../api/hooks.ts'
import { callerName } from '../journal/sentences.ts'
import { countOf } from '../text/numbers.ts'
import { WriteButton } from '../ui/button.tsx'
import { Answered, CodeBlock, Empty, Page, Panel, ProblemNote } from '../ui/page.tsx'
import { Badge, PlainText, Time } from '../ui/plain-text.tsx'
import { type Column, column, Table } from '../ui/table.tsx'
import { type Answer, indented, WaitingCall } from './waiting-call.tsx'
import './approvals.css'

type Call = Schemas['CallApproval']

export function ApprovalsPage() {
  return (
    <Page
      title="Approvals"
      intro="Calls that are made only after a person has approved them. An approval is for exactly this call: the same caller, server, account, tool, definition and arguments."
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

const endings: Readonly<Record<Answer | 'revoked', string>> = {
  once: 'Approved once',
  session: 'Approved for its session',
  kept: 'Approved until revoked',
  refused: 'Refused',
  revoked: 'Revoked',
}

function Calls({ calls }: { calls: readonly Call[] }) {
  const status = useRef<HTMLParagraphElement>(null)
  const act = useAct({
    send: (api, { id, answer }: { id: string; answer: Answer | 'revoked' }) => {
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
  const stateOf = ({ id }: Call): CallState => ({
    isBusy: act.isPending && act.variables.id === id,
    problem: act.variables?.id === id ? problem : null,
    onAnswer: (answer: Answer | 'revoked') => act.mutate({ id, answer }),
  })
  // The oldest first: one that arrives moves no button.
  const waiting = calls.filter(({ state }) => state === 'waiting').toReversed()
  const answers = calls.filter(({ state }) => state !== 'waiting')
  const isHere = calls.some(({ id }) => id === act.variables?.id)
  return (
    <>
      <p ref={status} role="status" tabIndex={-1} className="approvals-status">
        {countOf(waiting.length, 'call waits', 'calls wait')} for approval.
      </p>
      {!isHere && problem}
      {waiting.slice(0, maxCards).map((call) => (
        <WaitingCall key={call.id} call={call} {...stateOf(call)} />
      ))}
      {waiting.length > maxCards && (
        <p>{countOf(waiting.length - maxCards, 'more call')} will be shown after these.</p>
      )}
      {waiting.length === 0 && (
        <section className="panel" aria-label="Waiting calls">
          <Empty title="Nothing to approve">
            A call waits here if <code>aggregator.permissions</code> says to ask before it is made.
            Add a rule to <code>ask</code> under <Link href="/settings">Settings</Link>.
          </Empty>
        </section>
      )}
      {answers.length > 0 && <AnswersPanel calls={answers} stateOf={stateOf} />}
    </>
  )
}

interface CallState {
  isBusy: boolean
  problem: ReactNode
  onAnswer: (answer: Answer | 'revoked') => void
}

interface AnswersPanelProps {
  calls: readonly Call[]
  stateOf: (call: Call) => CallState
}

/** The approvals and refusals that count now. */
function AnswersPanel({ calls, stateOf }: AnswersPanelProps) {
  const count = countOf(calls.length, 'answer')
  return (
    <Panel
      title="Valid answers"
      aside={calls.length > maxRows ? `The newest ${maxRows} of ${count}` : count}
      isFlush
    >
      <Table<Call>
        caption="Valid answers"
        rows={calls.slice(0, maxRows)}
        keyOf={({ id }) => id}
        columns={[
          ...columns,
          column('Actions', 'is-narrow', (call) => {
            const { isBusy, problem, onAnswer } = stateOf(call)
            return (
              <>
                {problem}
                <WriteButton
                  kind="danger"
                  aria-label={`Revoke: ${call.server}.${call.tool}`}
                  isBusy={isBusy}
                  onClick={() => onAnswer('revoked')}
                >
                  Revoke
                </WriteButton>
              </>
            )
          }),
        ]}
      />
    </Panel>
  )
}

const columns: readonly Column<Call>[] = [
  column('Call', '', ({ server, tool }) => <PlainText>{`${server}.${tool}`}</PlainText>),
  column('Asked by', '', ({ caller }) => (
    <PlainText>{caller ? callerName(caller) : 'a client without a name'}</PlainText>
  )),
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
