import { useState } from 'react'
import { api, type Schemas } from '../../api/client.ts'
import { useKeyMade } from '../../api/use-key-made.ts'
import { ChangeForm } from '../../components/change-form.tsx'
import { payersAmong } from '../../api/payers.ts'
import { LimitFields, settingNames } from './limit-fields.tsx'
import { limitsBody, noLimits, type LimitValues } from './limit-values.ts'
import { NameField } from './name-field.tsx'
import { namedBy, PayerField } from './payer-field.tsx'

interface NewKeyFormProps {
  /** Those that there are. */
  keys: Schemas['Key'][]
  onMade: (key: Schemas['CreatedKey']) => void
  onCancel: () => void
}

/** A name; whose credit it uses, and limits, where that is to be another one's. */
export function NewKeyForm({ keys, onMade, onCancel }: NewKeyFormProps) {
  const [name, setName] = useState('')
  const [limits, setLimits] = useState<LimitValues>(noLimits)
  const [account] = payersAmong(keys)
  const [payer, setPayer] = useState<string>()
  const creation = useKeyMade((header) => {
    const limited = limitsBody(limits, Date.now())
    const body = { name: name.trim(), ...(payer !== undefined && { draws_on: namedBy(payer) }), ...limited }
    return api.POST('/api/v1/me/keys', { params: { header }, body })
  }, onMade)
  return (
    <ChangeForm
      change={creation}
      submit="Create the key"
      isComplete={name.trim() !== ''}
      fieldNames={[...settingNames, 'draws_on']}
      onCancel={onCancel}
    >
      <NameField
        description="What will use it: a program, a machine, a person."
        placeholder="billing-service"
        name={name}
        onChange={setName}
      />
      {account !== undefined && <PayerField payer={payer ?? account.id} onChange={setPayer} keys={keys} />}
      <LimitFields values={limits} onChange={setLimits} />
    </ChangeForm>
  )
}
