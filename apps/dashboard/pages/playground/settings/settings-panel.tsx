import { Textarea } from '@mantine/core'
import { LazyTagsInput } from '../../../components/forms/lazy-tags-input.tsx'
import type { FieldsProps } from './fields-props.ts'
import type { ChosenModel } from './model-choice.tsx'
import { ModelChoice } from './model-choice.tsx'
import { FormatFields } from './format-fields.tsx'
import { ParameterFields } from './parameter-fields.tsx'
import type { Parameter } from './settings.ts'
import { takes } from './settings.ts'
import { ToolFields } from './tool-fields.tsx'

interface SettingsPanelProps extends Omit<FieldsProps, 'has'> {
  models: readonly ChosenModel[]
}

const maxTags = 20

/** The models and their settings: the parameters that at least one of them supports. */
export default function SettingsPanel({ models, ...fields }: SettingsPanelProps) {
  const { settings, onChange } = fields
  const has = (parameter: Parameter): boolean => models.some(({ model }) => takes(model, parameter))
  return (
    <>
      <ModelChoice />
      <Textarea
        label="System prompt"
        autosize
        minRows={2}
        maxRows={8}
        value={settings.system}
        onChange={(event) => onChange({ system: event.currentTarget.value })}
      />
      <ParameterFields {...fields} has={has} models={models} />
      {has('format') && <FormatFields {...fields} has={has} />}
      {has('tools') && <ToolFields {...fields} has={has} />}
      <LazyTagsInput
        label="Tags"
        description="For cost reports."
        maxTags={maxTags}
        value={[...settings.tags]}
        onChange={(tags) => onChange({ tags })}
      />
    </>
  )
}
