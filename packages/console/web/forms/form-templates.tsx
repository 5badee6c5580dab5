import {
  ADDITIONAL_PROPERTY_FLAG,
  type ArrayFieldItemTemplateProps,
  type ArrayFieldTemplateProps,
  type FieldTemplateProps,
  type IconButtonProps,
  type MultiSchemaFieldTemplateProps,
  type ObjectFieldTemplateProps,
  type TemplatesType,
  type WidgetProps,
  type WrapIfAdditionalTemplateProps,
} from '@rjsf/utils'
import { type ReactNode, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { PlainText } from '../ui/plain-text.tsx'
import './schema-form.css'

function FieldTemplate(props: FieldTemplateProps) {
  const { id, label, displayLabel, required, rawDescription, rawErrors, schema, children, hidden } =
    props
  const { uiSchema } = props
  if (hidden) return children
  const Wrap = props.registry.templates.WrapIfAdditionalTemplate
  const isBox = schema.type === 'boolean' && uiSchema?.['ui:widget'] === undefined
  return (
    <Wrap {...props}>
      <div className="field">
        {displayLabel && !isBox && (
          <label htmlFor={id}>
            <PlainText>{label}</PlainText>
            {required && (
              <span className="required-mark" aria-hidden="true">
                {' '}
                *
              </span>
            )}
          </label>
        )}
        {children}
        {displayLabel && rawDescription && (
          <div className="field-hint" id={`${id}__description`}>
            <PlainText>{rawDescription}</PlainText>
          </div>
        )}
        {rawErrors && rawErrors.length > 0 && (
          <div className="field-error" id={`${id}__error`} role="alert">
            <PlainText>{[...new Set(rawErrors)].join(' ')}</PlainText>
          </div>
        )}
      </div>
    </Wrap>
  )
}

function ObjectFieldTemplate(props: ObjectFieldTemplateProps) {
  const { fieldPathId, title, properties, schema, onAddProperty } = props
  const isRoot = fieldPathId.path.length === 0
  return (
    <fieldset id={fieldPathId.$id}>
      {!isRoot && title && (
        <legend>
          <PlainText>{title}</PlainText>
        </legend>
      )}
      <div className="schema-fields">
        {properties.length === 0 && isRoot && (
          <p className="field-hint">This tool has no arguments.</p>
        )}
        {properties.map(({ name, content }) => (
          <div key={name}>{content}</div>
        ))}
        {schema.additionalProperties && (
          <div>
            <Button onClick={onAddProperty}>Add a property</Button>
          </div>
        )}
      </div>
    </fieldset>
  )
}

function ArrayFieldTemplate(props: ArrayFieldTemplateProps) {
  const { fieldPathId, title, items, canAdd, onAddClick, schema } = props
  return (
    <fieldset id={fieldPathId.$id}>
      <legend>
        <PlainText>{title}</PlainText>
      </legend>
      {schema.description && (
        <div className="field-hint">
          <PlainText>{schema.description}</PlainText>
        </div>
      )}
      <div className={items.length > 0 ? 'schema-fields' : undefined}>
        {items}
        {canAdd && (
          <div>
            <Button onClick={onAddClick}>Add an item</Button>
          </div>
        )}
      </div>
    </fieldset>
  )
}

function ArrayFieldItemTemplate({ children, buttonsProps, index }: ArrayFieldItemTemplateProps) {
  return (
    <div className="schema-item">
      <div>{children}</div>
      {buttonsProps.hasRemove && (
        <Button
          kind="quiet"
          aria-label={`Remove item ${index + 1}`}
          onClick={buttonsProps.onRemoveItem}
        >
          ×
        </Button>
      )}
    </div>
  )
}

/** A property that the schema does not define: its key can be edited too. */
function WrapIfAdditionalTemplate(props: WrapIfAdditionalTemplateProps) {
  const { id, label, schema, children, onKeyRenameBlur, onRemoveProperty } = props
  if (!(ADDITIONAL_PROPERTY_FLAG in schema)) return <>{children}</>
  return (
    <div className="schema-key">
      <div className="field">
        <label htmlFor={`${id}-key`}>Name</label>
        <input id={`${id}-key`} defaultValue={label} onBlur={onKeyRenameBlur} />
      </div>
      {children}
      <Button kind="quiet" aria-label={`Remove ${label}`} onClick={onRemoveProperty}>
        ×
      </Button>
    </div>
  )
}

function CheckboxWidget({ id, value, label, required, onChange }: WidgetProps) {
  return (
    <label className="check" htmlFor={id}>
      <input
        id={id}
        type="checkbox"
        checked={value === true}
        required={required}
        onChange={(event) => onChange(event.target.checked)}
      />
      <PlainText>{label}</PlainText>
    </label>
  )
}

/** A choice of what a value is. */
function MultiSchemaFieldTemplate({ selector, optionSchemaField }: MultiSchemaFieldTemplateProps) {
  return (
    <div className="schema-fields">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the selector is the control. */}
      <label className="field">
        <span className="field-hint">Kind</span>
        {selector}
      </label>
      {optionSchemaField}
    </div>
  )
}

/** Removes a file; the other templates have buttons of their own. */
function RemoveButton({ onClick }: IconButtonProps) {
  return (
    <Button kind="quiet" aria-label="Remove" onClick={onClick}>
      ×
    </Button>
  )
}

export const formTemplates: Partial<Omit<TemplatesType, 'ButtonTemplates'>> & {
  ButtonTemplates: Partial<TemplatesType['ButtonTemplates']>
} = {
  FieldTemplate,
  ObjectFieldTemplate,
  ArrayFieldTemplate,
  ArrayFieldItemTemplate,
  MultiSchemaFieldTemplate,
  WrapIfAdditionalTemplate,
  ButtonTemplates: { RemoveButton },
}

/** Yes, no, or neither: the default applies. */
function SwitchWidget({ id, value, onChange }: WidgetProps) {
  return (
    <select
      id={id}
      value={String(value ?? '')}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value === 'true')}
    >
      <option value="">Default</option>
      <option value="true">Yes</option>
      <option value="false">No</option>
    </select>
  )
}

/** A list of texts, one per line. */
function LinesWidget({ id, value, onChange }: WidgetProps) {
  const lines: string[] = Array.isArray(value) ? value.map(String) : []
  const [text, setText] = useState(lines.join('\n'))
  return (
    <textarea
      id={id}
      className="is-mono"
      rows={Math.min(12, Math.max(2, lines.length + 1))}
      spellCheck={false}
      value={text}
      onChange={(event) => {
        setText(event.target.value)
        const next = event.target.value.split('\n').filter((line) => line !== '')
        onChange(next.length > 0 ? next : undefined)
      }}
    />
  )
}

export const formWidgets: Record<string, (props: WidgetProps) => ReactNode> = {
  CheckboxWidget,
  LinesWidget,
  SwitchWidget,
}
