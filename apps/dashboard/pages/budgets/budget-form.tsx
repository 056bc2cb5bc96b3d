import { Group, MultiSelect, Radio, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { periodNames, type BudgetPeriod } from '../../api/budgets.ts'
import type { Budget } from '../../api/budget-queries.ts'
import type { Customer } from '../../api/customer-queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useIdempotencyKey } from '../../api/use-idempotency-key.ts'
import { ChangeForm } from '../../components/forms/change-form.tsx'
import { useFieldError } from '../../components/forms/field-error.tsx'
import { TextField } from '../../components/forms/text-field.tsx'
import { createBudget, updateBudget } from './budget-changes.ts'
import {
  changesBody,
  creationBody,
  isComplete,
  newBudget,
  valuesOf,
  type BudgetValues,
} from './budget-values.ts'
import { SubjectFields } from './subject-fields.tsx'
import { AmountField } from '../../components/forms/amount-field.tsx'

export interface BudgetFormProps {
  /** Absent: a new one is created. */
  changed?: Budget | undefined
  /** Preselects the subject of a new budget. */
  initial?: Pick<BudgetValues, 'scope' | 'subject'> | undefined
  /** The account, if an operator manages it. */
  customer?: Customer | undefined
  subjectName: (budget: Budget) => string
  onDone: () => void
}

/** A budget's subject, limit and period, and what happens above the limit. */
export default function BudgetForm(props: BudgetFormProps) {
  const { changed, initial, customer, subjectName, onDone } = props
  const [values, setValues] = useState<BudgetValues>(
    changed === undefined ? { ...newBudget, ...initial } : valuesOf(changed),
  )
  const { idempotencyKey, change } = useIdempotencyKey()
  const set = (next: BudgetValues) => change(() => setValues(next))
  const saving = useChange(customer === undefined ? 'budgets' : 'operator', onDone, () =>
    changed === undefined
      ? createBudget(customer, { 'Idempotency-Key': idempotencyKey }, creationBody(values))
      : updateBudget(customer, changed, changesBody(values)),
  )
  return (
    <ChangeForm
      change={saving}
      submit={changed === undefined ? 'Create budget' : 'Save'}
      isComplete={isComplete(values)}
      fieldNames={['name', 'scope', 'subject', 'period', 'limit_usd', 'notify']}
      onCancel={onDone}
    >
      <TextField
        name="name"
        label="Name"
        placeholder="Search team"
        maxLength={100}
        data-autofocus
        value={values.name}
        onChange={(value) => set({ ...values, name: value })}
      />
      {changed === undefined ? (
        <SubjectFields values={values} customer={customer} onChange={set} />
      ) : (
        <Fixed budget={changed} subjectName={subjectName} />
      )}
      <LimitField values={values} isNew={changed === undefined} onChange={set} />
      <Beyond values={values} onChange={set} />
    </ChangeForm>
  )
}

interface FieldsProps {
  values: BudgetValues
  onChange: (values: BudgetValues) => void
}

/** The subject and period of an existing budget cannot be changed. */
function Fixed({ budget, subjectName }: { budget: Budget } & Pick<BudgetFormProps, 'subjectName'>) {
  return (
    <Text size="sm" c="dimmed">
      Applies to {subjectName(budget)}, {periodNames[budget.period]}. To change that, create another budget.
    </Text>
  )
}

function LimitField({ values, isNew, onChange }: FieldsProps & { isNew: boolean }) {
  return (
    <Group align="flex-start" gap="xs" wrap="nowrap">
      <AmountField
        name="limit_usd"
        label="Limit"
        flex={1}
        value={values.limitUsd}
        onChange={(limitUsd) => onChange({ ...values, limitUsd })}
      />
      {isNew && (
        <Select
          aria-label="Period"
          // Aligned with the field next to it, which has a label above.
          mt={25}
          w={130}
          allowDeselect={false}
          data={(Object.keys(periodNames) as BudgetPeriod[]).map((value) => ({
            value,
            label: periodNames[value],
          }))}
          value={values.period}
          onChange={(value) => value !== null && onChange({ ...values, period: value })}
        />
      )}
    </Group>
  )
}

const percents = ['25', '50', '75', '80', '90', '95', '100']

function Beyond({ values, onChange }: FieldsProps) {
  const { error } = useFieldError('notify')
  const offered = [...new Set([...percents, ...values.notify])].toSorted((a, b) => Number(a) - Number(b))
  return (
    <>
      <Radio.Group
        label="Over the limit"
        value={values.isHard ? 'hard' : 'soft'}
        onChange={(value) => onChange({ ...values, isHard: value === 'hard' })}
      >
        <Stack gap="sm" mt="xs">
          <Radio
            value="hard"
            label="Requests are refused"
            description="With status 402 and the time at which the budget resets. They cost nothing."
          />
          <Radio
            value="soft"
            label="Notify only"
            description="Requests are still served, and you are notified."
          />
        </Stack>
      </Radio.Group>
      <MultiSelect
        label="Notify at"
        error={error}
        data={offered.map((value) => ({ value, label: `${value} %` }))}
        value={values.notify}
        onChange={(notify) => onChange({ ...values, notify })}
      />
    </>
  )
}
