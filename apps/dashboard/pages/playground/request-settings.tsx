import { NativeSelect, TagsInput, Textarea, TextInput } from '@mantine/core'
import { efforts, type CodeRequest } from './code/code-request.ts'

/** What a request says besides the conversation. */
export type Settings = Pick<CodeRequest, 'system' | 'maxTokens' | 'effort'> & { tags: string[] }

interface RequestSettingsProps {
  settings: Settings
  onChange: (settings: Settings) => void
}

/** Below ten millions. */
const maxDigits = 7
const byDefault = 'as the model does by itself'

export function RequestSettings({ settings, onChange }: RequestSettingsProps) {
  const { system, tags, maxTokens, effort } = settings
  return (
    <>
      <TagsInput
        label="Tags"
        description="What it is counted under."
        maxTags={20}
        value={tags}
        onChange={(value) => onChange({ ...settings, tags: value })}
      />
      <Textarea
        label="System prompt"
        autosize
        minRows={2}
        maxRows={8}
        value={system}
        onChange={(event) => onChange({ ...settings, system: event.currentTarget.value })}
      />
      <TextInput
        label="Max tokens"
        description="Of an answer, with what was thought for it."
        inputMode="numeric"
        value={maxTokens ?? ''}
        onChange={(event) => onChange({ ...settings, maxTokens: wholeOf(event.currentTarget.value) })}
      />
      <NativeSelect
        label="Reasoning"
        data={[byDefault, ...efforts]}
        value={effort ?? byDefault}
        onChange={(event) =>
          onChange({ ...settings, effort: efforts.find((one) => one === event.currentTarget.value) })
        }
      />
    </>
  )
}

/** The digits of what was typed; undefined where there are none. */
function wholeOf(typed: string): number | undefined {
  const digits = typed.replaceAll(/\D/g, '').slice(0, maxDigits)
  return Number(digits) >= 1 ? Number(digits) : undefined
}
