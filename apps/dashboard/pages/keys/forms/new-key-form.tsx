import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountQuery } from '../../../api/queries.ts'
import { currentOrganization } from '../../../api/acting.ts'
import { api, type Schemas } from '../../../api/client.ts'
import { useKeyMade } from '../../../api/use-key-made.ts'
import { ChangeForm } from '../../../components/forms/change-form.tsx'
import { payersAmong } from '../../../api/payers.ts'
import { LimitFields, settingNames } from './limit-fields.tsx'
import { limitsBody, noLimits, type LimitValues } from './limit-values.ts'
import { OwnerFields, ownerNames, type Owner } from './owner-fields.tsx'
import { toPayerId, PayerField } from './payer-field.tsx'
import { TextField } from '../../../components/forms/text-field.tsx'

interface NewKeyFormProps {
  /** The existing keys. */
  keys: Schemas['Key'][]
  /** Preselects the project. */
  projectId: string | undefined
  onMade: (key: Schemas['CreatedKey']) => void
  onCancel: () => void
}

/** A person's own account has no members. */
function ownerBody({ memberId, projectId }: Owner) {
  return {
    ...(currentOrganization() !== undefined && { member_id: memberId }),
    ...(projectId !== null && { project_id: projectId }),
  }
}

/** Creates a key: its name, whose credit it uses, its limits and its owner. */
export function NewKeyForm({ keys, projectId, onMade, onCancel }: NewKeyFormProps) {
  const [name, setName] = useState('')
  const [limits, setLimits] = useState<LimitValues>(noLimits)
  const [account] = payersAmong(keys)
  const [payer, setPayer] = useState<string>()
  const { data: me } = useQuery(accountQuery)
  const [chosen, setOwner] = useState<Owner>()
  // The default owner is the person who creates the key.
  const owner = chosen ?? { memberId: me?.member_id ?? null, projectId: projectId ?? null }
  const creation = useKeyMade((header) => {
    const limited = limitsBody(limits, Date.now())
    const body = {
      name: name.trim(),
      ...(payer !== undefined && { draws_on: toPayerId(payer) }),
      ...ownerBody(owner),
      ...limited,
    }
    return api.POST('/api/v1/me/keys', { params: { header }, body })
  }, onMade)
  return (
    <ChangeForm
      change={creation}
      submit="Create the key"
      isComplete={name.trim() !== ''}
      fieldNames={[...settingNames, 'draws_on', ...ownerNames]}
      onCancel={onCancel}
    >
      <TextField
        name="name"
        label="Name"
        description="The program, machine or person that will use it."
        placeholder="billing-service"
        required
        maxLength={100}
        data-autofocus
        value={name}
        onChange={setName}
      />
      <OwnerFields owner={owner} onChange={setOwner} />
      {account !== undefined && <PayerField payer={payer ?? account.id} onChange={setPayer} keys={keys} />}
      <LimitFields values={limits} onChange={setLimits} />
    </ChangeForm>
  )
}
