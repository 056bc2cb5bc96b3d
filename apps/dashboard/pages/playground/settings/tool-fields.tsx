import { Button, NativeSelect } from '@mantine/core'
import { IconTool } from '../../../icons/icons.ts'
import { JsonField } from './json-field.tsx'
import { readTools } from './read-json.ts'
import type { FieldsProps } from './fields-props.ts'
import { choiceOf } from './settings.ts'

const exampleTools = `[
  {
    "name": "get_weather",
    "description": "The weather in a city now.",
    "parameters": {
      "type": "object",
      "properties": { "city": { "type": "string" } },
      "required": ["city"]
    }
  }
]`

/** The tools that the model may call. Nothing is run: the user types the tools' results. */
export function ToolFields({ settings, mistakes, onChange }: FieldsProps) {
  const { tools, toolChoice } = settings
  if (tools === '')
    return (
      <Button
        variant="default"
        size="xs"
        leftSection={<IconTool size={14} />}
        onClick={() => onChange({ tools: exampleTools })}
      >
        Add tools
      </Button>
    )
  const known = readTools(tools).value ?? []
  const choices = [
    { value: 'auto', label: 'model decides' },
    { value: 'required', label: 'at least one' },
    { value: 'none', label: 'none' },
    ...known.map((tool) => ({ value: choiceOf(tool), label: tool.name })),
  ]
  return (
    <>
      <JsonField
        label="Tools"
        description="With JSON Schemas for their parameters. You enter their results yourself."
        mistake={mistakes.tools}
        value={tools}
        onChange={(text) => onChange({ tools: text })}
      />
      <NativeSelect
        label="Tool choice"
        data={choices}
        value={choices.some(({ value }) => value === toolChoice) ? toolChoice : 'auto'}
        onChange={(event) => onChange({ toolChoice: event.currentTarget.value })}
      />
    </>
  )
}
