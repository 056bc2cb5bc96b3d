import { MultiSelect, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { accountQuery, modelsQuery } from '../../../api/queries.ts'
import { promptLogRules, topUpRules, unsupportedFieldsRules, type LimitValues } from './limit-values.ts'
import { useFieldError } from '../../../components/forms/field-error.tsx'
import { SpendLimitField, spendLimitNames } from './spend-limit-field.tsx'

interface LimitFieldsProps {
  values: LimitValues
  onChange: (values: LimitValues) => void
  /** The key's current expiry, in words. */
  expiresNow?: string | undefined
}

/** The API's names of a key's name and of these fields. */
export const settingNames = [
  'name',
  ...spendLimitNames,
  'allowed_models',
  'expires_at',
  'log_prompts',
  'may_top_up',
]

const ruleNames = { gateway: 'Gateway default', refuse: 'Refuse the request', drop: 'Drop the fields' }
const logNames = { account: 'Account default', on: 'Kept', off: 'Not kept' }
const maxShownModels = 100

/** A key's optional settings: spend limit, models, expiry, and rules. */
export function LimitFields({ values, onChange, expiresNow }: LimitFieldsProps) {
  const { data: models } = useQuery(modelsQuery)
  return (
    <>
      <SpendLimitField values={values} onChange={onChange} />
      <MultiSelect
        {...useFieldError('allowed_models')}
        label="Models it may call"
        placeholder={values.models.length === 0 ? 'every model' : ''}
        searchable
        clearable
        limit={maxShownModels}
        data={models?.data.map(({ id }) => id) ?? []}
        value={values.models}
        onChange={(chosen) => onChange({ ...values, models: chosen })}
      />
      <Select
        {...useFieldError('expires_at')}
        label="Ends"
        allowDeselect={false}
        data={[
          ...(expiresNow === undefined ? [] : [{ value: 'kept', label: expiresNow }]),
          { value: '', label: 'Never' },
          { value: '1', label: 'In 1 day' },
          { value: '7', label: 'In 7 days' },
          { value: '30', label: 'In 30 days' },
          { value: '90', label: 'In 90 days' },
          { value: '365', label: 'In a year' },
        ]}
        value={values.expiry}
        onChange={(expiry) => expiry !== null && onChange({ ...values, expiry })}
      />
      <Select
        label="Unsupported request fields"
        allowDeselect={false}
        data={unsupportedFieldsRules.map((value) => ({ value, label: ruleNames[value] }))}
        value={values.unsupportedFields}
        onChange={(value) => value !== null && onChange({ ...values, unsupportedFields: value })}
      />
      <Select
        {...useFieldError('log_prompts')}
        label="Prompts and answers"
        allowDeselect={false}
        data={promptLogRules.map((value) => ({ value, label: logNames[value] }))}
        value={values.promptLog}
        onChange={(value) => value !== null && onChange({ ...values, promptLog: value })}
      />
      <TopUpField values={values} onChange={onChange} />
    </>
  )
}

/** Programs with the key can see that credit is missing, and pass the link on to somebody who pays. */
function TopUpField({ values, onChange }: LimitFieldsProps) {
  const { data: account } = useQuery(accountQuery)
  const byAccount = account && (account.keys_may_top_up ? ': a link' : ': no link')
  const names = { account: `Account default${byAccount ?? ''}`, on: 'A link', off: 'No link' }
  return (
    <Select
      {...useFieldError('may_top_up')}
      label="Payment link in refusals"
      description={
        'When there is not enough credit, a request is refused. With a payment link in the error, anyone ' +
        'with the key can pay the missing amount.'
      }
      allowDeselect={false}
      data={topUpRules.map((value) => ({ value, label: names[value] }))}
      value={values.topUp}
      onChange={(value) => value !== null && onChange({ ...values, topUp: value })}
    />
  )
}
