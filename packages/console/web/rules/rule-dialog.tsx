import { valueAt } from '@pith-mcp/base/table'
import { useEffect, useMemo, useState } from 'react'
import { useAct, useConfig } from '../api/hooks.ts'
import { ChangeReview } from '../settings/change-review.tsx'
import { countOf } from '../text/numbers.ts'
import { spellOddCharacters } from '../text/odd-characters.ts'
import { Button, WriteButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { CheckField, ChoiceField, TextField } from '../ui/fields.tsx'
import { Answered, Facts } from '../ui/page.tsx'
import {
  faultOf,
  type Row,
  type RowTest,
  type RuleDraft,
  type RuleEffect,
  rowsOf,
  rulesOf,
  ruleText,
  testFor,
  testsFor,
} from './rule.ts'

interface RuleSource {
  server: string
  tool: string
  /** Of the tool, if it is known. */
  schema?: unknown
  /** Of the call from which the rule is made. */
  args?: unknown
  /** `token:NAME`, if the call has one. */
  caller?: string | undefined
}

const buttons: readonly (readonly [RuleEffect, string])[] = [
  ['ask', 'Ask before this…'],
  ['deny', 'Never…'],
  ['only', 'Only if…'],
]

/** Makes a rule from where one stands: a tool, or a call that waits. */
export function RuleButtons(source: RuleSource) {
  const [effect, setEffect] = useState<RuleEffect>()
  return (
    <div className="button-row">
      {buttons.map(([option, words]) => (
        <WriteButton
          key={option}
          isAdmin
          aria-label={`${words} ${source.server}.${source.tool}`}
          onClick={() => setEffect(option)}
        >
          {words}
        </WriteButton>
      ))}
      {effect && <RuleDialog {...source} effect={effect} onClose={() => setEffect(undefined)} />}
    </div>
  )
}

const titles: Readonly<Record<RuleEffect, string>> = {
  ask: 'Ask before this call',
  deny: 'Never make this call',
  only: 'Make this call only if',
}

interface RuleDialogProps extends RuleSource {
  effect: RuleEffect
  onClose: () => void
}

function RuleDialog({ server, tool, schema, args, caller, effect, onClose }: RuleDialogProps) {
  const [rows, setRows] = useState(() => rowsOf(schema, args))
  const [isForCaller, setForCaller] = useState(false)
  const [reason, setReason] = useState('')
  const draft: RuleDraft = {
    ...{ server, tool, effect, rows, reason },
    caller: isForCaller ? caller : undefined,
  }
  const fault = rows.map(faultOf).find((text) => text !== undefined)
  const isEmpty = effect === 'only' && rows.every(({ test }) => test === '')
  const problem = fault ?? (isEmpty ? 'Choose what a parameter must be.' : undefined)
  const change = (at: number, next: Partial<Row>) =>
    setRows(rows.map((row, index) => (index === at ? { ...row, ...next } : row)))
  return (
    <Dialog title={`${titles[effect]}: ${server}.${tool}`} onClose={onClose} isWide>
      <div className="dialog-form">
        {rows.map((row, at) => (
          <RowFields
            key={row.parameter}
            row={row}
            tests={testsFor(effect)}
            onChange={(next) => change(at, next)}
          />
        ))}
        {caller && (
          <CheckField isChecked={isForCaller} onChange={setForCaller}>
            Only for the caller of this call
          </CheckField>
        )}
        <TextField
          label="Reason"
          hint="Shown to the model and to who approves."
          maxLength={300}
          value={reason}
          onChange={setReason}
        />
        <div aria-live="polite">
          <Facts of={[[problem === undefined ? 'Rule' : 'To do', problem ?? ruleText(draft)]]} />
        </div>
        {problem === undefined ? (
          <>
            <Met draft={draft} />
            <SavedRule draft={draft} onClose={onClose} />
          </>
        ) : (
          <div className="dialog-actions">
            <Button onClick={onClose}>Back</Button>
          </div>
        )}
      </div>
    </Dialog>
  )
}

interface RowFieldsProps {
  row: Row
  tests: ReturnType<typeof testsFor>
  onChange: (next: Partial<Row>) => void
}

function RowFields({ row, tests, onChange }: RowFieldsProps) {
  const { parameter, test, value } = row
  return (
    <fieldset className="toolbar scope-choice" aria-label={spellOddCharacters(parameter)}>
      <ChoiceField
        label={`${parameter}: test`}
        options={tests}
        value={test}
        onChange={(next) => onChange({ test: next as RowTest })}
      />
      <TextField
        label={`${parameter}: value`}
        isWide
        value={value}
        disabled={test === 'absent'}
        // A value that is entered is tested; one of a call is only offered.
        onChange={(next) =>
          onChange({ value: next, ...((test === '' || next === '') && { test: testFor(next) }) })
        }
      />
    </fieldset>
  )
}

/** Rows of calls that are shown. */
const maxShown = 5

/** Which of the last calls the rule would have met. */
function Met({ draft }: { draft: RuleDraft }) {
  const text = JSON.stringify(rulesOf(draft))
  const { mutate, data, error } = useAct({
    send: (api, permissions: Record<string, unknown>) =>
      api.POST('/api/v1/permissions/preview', { body: { permissions } }),
    invalidates: [],
    isQuiet: true,
  })
  useEffect(() => {
    const { list, rules } = JSON.parse(text) as ReturnType<typeof rulesOf>
    mutate({ [list]: rules })
  }, [mutate, text])
  if (error) return <p role="alert">{error.message}</p>
  if (data === undefined) return null
  const { calls } = data
  const met = calls.filter(({ isMet }) => isMet)
  return (
    <div aria-live="polite">
      <p>
        {calls.length === 0
          ? 'This process has made no call yet that the rule could be tried on.'
          : `It would have met ${met.length} of the last ${countOf(calls.length, 'call')} of this process.`}
      </p>
      <Facts
        of={met
          .slice(0, maxShown)
          .map(({ time, caller }) => [time.slice(0, 19), caller ?? 'a client without a name'])}
      />
    </div>
  )
}

/** The change of the configuration, above the button that saves it. */
function SavedRule({ draft, onClose }: { draft: RuleDraft; onClose: () => void }) {
  return (
    <Answered query={useConfig()} lines={4}>
      {({ files }) => <RuleReview draft={draft} files={files} onClose={onClose} />}
    </Answered>
  )
}

interface RuleReviewProps {
  draft: RuleDraft
  files: readonly ({ version: string } & Readonly<Record<string, unknown>>)[]
  onClose: () => void
}

function RuleReview({ draft, files, onClose }: RuleReviewProps) {
  const text = JSON.stringify(rulesOf(draft))
  const { edits, version } = useMemo(() => {
    const { list, rules } = JSON.parse(text) as ReturnType<typeof rulesOf>
    const path = ['aggregator', 'permissions', list]
    const file = files.find((entry) => valueAt(entry, path.slice(0, 2)) !== undefined) ?? files[0]
    const before = valueAt(file ?? {}, path)
    const value = [...(Array.isArray(before) ? before : []), ...rules]
    return { edits: [{ path, value }], version: file?.version ?? '' }
  }, [text, files])
  return (
    <ChangeReview
      edits={edits}
      version={version}
      what={ruleText(draft)}
      onBack={onClose}
      onSaved={onClose}
    />
  )
}
