import { NativeSelect } from '@mantine/core'
import { useFieldError } from '../../../components/forms/field-error.tsx'
import { JsonField } from './json-field.tsx'
import type { FieldsProps } from './fields-props.ts'
import type { Settings } from './settings.ts'

const formats: Record<Settings['format'], string> = {
  text: 'Text',
  json: 'JSON',
  schema: 'JSON with schema',
}

const exampleSchema = `{
  "type": "object",
  "properties": {
    "answer": { "type": "string" },
    "confidence": { "type": "number" }
  },
  "required": ["answer", "confidence"],
  "additionalProperties": false
}`

/** The format of the answer. */
export function FormatFields({ settings, mistakes, onChange }: FieldsProps) {
  const { error } = useFieldError('response_format')
  return (
    <>
      <NativeSelect
        label="Response format"
        error={error}
        data={Object.entries(formats).map(([value, label]) => ({ value, label }))}
        value={settings.format}
        onChange={(event) => {
          const format = event.currentTarget.value as Settings['format']
          const isFirst = format === 'schema' && settings.schema === ''
          onChange({ format, ...(isFirst && { schema: exampleSchema }) })
        }}
      />
      {settings.format === 'schema' && (
        <JsonField
          label="JSON Schema"
          mistake={mistakes.schema}
          value={settings.schema}
          onChange={(schema) => onChange({ schema })}
        />
      )}
    </>
  )
}
