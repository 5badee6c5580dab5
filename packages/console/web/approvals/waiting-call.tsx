import { attempt } from '@pith-mcp/base/attempt'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../api/answer-of.ts'
import { callerName } from '../journal/sentences.ts'
import { serverPath } from '../text/paths.ts'
import { WriteButton } from '../ui/button.tsx'
import { ChoiceField } from '../ui/fields.tsx'
import { CodeBlock, Facts, Panel } from '../ui/page.tsx'
import { PlainText, Time } from '../ui/plain-text.tsx'

export type Answer = Schemas['CallAnswer']['answer']

const grants = [
  ['once', 'once'],
  ['session', 'for its session'],
  ['kept', 'until revoked'],
] as const

/** JSON of arguments; what hides a secret may be no JSON any more. */
export const indented = (args: string): string =>
  attempt(() => JSON.stringify(JSON.parse(args), null, 2), args)

interface WaitingCallProps {
  call: Schemas['CallApproval']
  isBusy: boolean
  problem: ReactNode
  onAnswer: (answer: Answer) => void
}

/** A call with all that it sends, above the buttons that answer it. */
export function WaitingCall({ call, isBusy, problem, onAnswer }: WaitingCallProps) {
  const [grant, setGrant] = useState<string>('once')
  const { server, tool, caller, profile, setting, reason, needsAnother, askedAt, endsAt } = call
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
            ['Tool', <PlainText key="tool">{tool}</PlainText>],
            [
              'Asked by',
              <PlainText key="caller">
                {caller ? callerName(caller) : 'a client without a name'}
              </PlainText>,
            ],
            ['Profile', profile && <PlainText key="profile">{profile}</PlainText>],
            [
              'Because of',
              <PlainText key="setting">{reason ? `${setting}: ${reason}` : setting}</PlainText>,
            ],
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
        </div>
      </div>
    </Panel>
  )
}
