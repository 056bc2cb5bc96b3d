import { Combobox, TextInput, useCombobox } from '@mantine/core'
import { useState } from 'react'
import { IconPlus } from '../../icons/icons.ts'
import type { Schemas } from '../../api/client.ts'
import { findModels } from '../../models/find-models.ts'

const mostOffers = 12

interface AddModelProps {
  models: readonly Schemas['Model'][]
  /** Model IDs. */
  chosen: readonly string[]
  onAdd: (id: string) => void
}

/** Searches as the models list does: `gpt4o`. */
export function AddModel({ models, chosen, onAdd }: AddModelProps) {
  const [typed, setTyped] = useState('')
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const offers = findModels(models, typed)
    .filter(({ id }) => !chosen.includes(id))
    .slice(0, mostOffers)
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(id) => {
        onAdd(id)
        setTyped('')
        combobox.closeDropdown()
      }}
    >
      <Combobox.Target>
        <TextInput
          aria-label="Add a model"
          placeholder="Add a model"
          leftSection={<IconPlus size={16} aria-hidden />}
          w={{ base: '100%', xs: 280 }}
          value={typed}
          onFocus={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            combobox.openDropdown()
            combobox.selectFirstOption()
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options mah={320} style={{ overflowY: 'auto' }} aria-label="Models">
          {offers.map(({ id }) => (
            <Combobox.Option key={id} value={id}>
              {id}
            </Combobox.Option>
          ))}
          {offers.length === 0 && <Combobox.Empty>No matching models</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
