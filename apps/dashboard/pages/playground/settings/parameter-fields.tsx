import { NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core'
import { LazyTagsInput } from '../../../components/forms/lazy-tags-input.tsx'
import { useFieldError } from '../../../components/forms/field-error.tsx'
import { efforts } from '../code/code-request.ts'
import type { ChosenModel } from './model-choice.tsx'
import type { FieldsProps } from './fields-props.ts'
import { serviceTiersOf, takes, type Parameter } from './settings.ts'

const byDefault = 'default'
const mostStops = 4

/** The numeric and text parameters of a request. */
export function ParameterFields(props: FieldsProps & { models: readonly ChosenModel[] }) {
  const { settings, has, onChange, models } = props
  const tiers = [
    ...new Set(models.flatMap(({ model }) => (model === undefined ? [] : serviceTiersOf(model)))),
  ]
  return (
    <>
      <SimpleGrid cols={2} spacing="sm" verticalSpacing="sm">
        {has('temperature') && (
          <NumberField {...props} name="temperature" label="Temperature" inApi={['temperature']} />
        )}
        {has('topP') && <NumberField {...props} name="topP" label="Top P" inApi={['top_p']} />}
        <NumberField
          {...props}
          name="maxTokens"
          label="Max tokens"
          inApi={['max_tokens', 'max_completion_tokens']}
        />
        {has('seed') && <NumberField {...props} name="seed" label="Seed" inApi={['seed']} />}
        {has('effort') && (
          <NativeSelect
            label="Reasoning"
            data={[{ value: '', label: byDefault }, ...efforts]}
            value={settings.effort}
            onChange={(event) =>
              onChange({ effort: efforts.find((one) => one === event.currentTarget.value) ?? '' })
            }
          />
        )}
        {tiers.length > 0 && (
          <NativeSelect
            label="Service tier"
            data={[{ value: '', label: byDefault }, ...tiers]}
            value={settings.serviceTier}
            onChange={(event) => onChange({ serviceTier: event.currentTarget.value })}
          />
        )}
      </SimpleGrid>
      {has('stop') && (
        <LazyTagsInput
          label="Stop sequences"
          description="The answer stops at any of these texts."
          maxTags={mostStops}
          splitChars={[]}
          value={[...settings.stop]}
          onChange={(stop) => onChange({ stop })}
        />
      )}
      <Untaken models={models} settings={settings} />
    </>
  )
}

interface NumberFieldProps extends FieldsProps {
  name: 'temperature' | 'topP' | 'maxTokens' | 'seed'
  label: string
  /** The API's names of the parameter. */
  inApi: readonly string[]
}

function NumberField({ name, label, inApi, settings, mistakes, onChange }: NumberFieldProps) {
  const problem = useFieldError(...inApi)
  return (
    <TextInput
      {...problem}
      label={label}
      inputMode="decimal"
      autoComplete="off"
      placeholder={byDefault}
      error={mistakes[name] ?? problem.error}
      value={settings[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  )
}

const words: Record<Parameter, string> = {
  temperature: 'temperature',
  topP: 'top P',
  stop: 'stop sequences',
  seed: 'seed',
  effort: 'reasoning',
  format: 'response format',
  tools: 'tools',
  serviceTier: 'service tier',
}

/** With two models, one may lack a parameter that the other has: its request goes without. */
function Untaken({ models, settings }: Pick<FieldsProps, 'settings'> & { models: readonly ChosenModel[] }) {
  if (models.length < 2) return null
  const set = (Object.keys(words) as Parameter[]).filter((parameter) => isSet(parameter, settings))
  const untaken = models.flatMap(({ id, model }) => {
    const lacks = set.filter((parameter) => !takes(model, parameter)).map((parameter) => words[parameter])
    return lacks.length === 0 ? [] : [`${id} does not support: ${lacks.join(', ')}. These are left out.`]
  })
  return untaken.map((text) => (
    <Text key={text} size="xs" c="dimmed">
      {text}
    </Text>
  ))
}

function isSet(parameter: Parameter, settings: FieldsProps['settings']): boolean {
  return parameter === 'format' ? settings.format !== 'text' : settings[parameter].length > 0
}
