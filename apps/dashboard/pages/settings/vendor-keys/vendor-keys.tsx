import { Button, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiFailure } from '../../../api/api-failure.ts'
import { useMay } from '../../../api/permissions.ts'
import { EmptyNote } from '../../../components/empty-note.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { Loaded } from '../../../components/loaded.tsx'
import { Panel } from '../../../components/panel.tsx'
import { IconKey, IconPlus } from '../../../icons/icons.ts'
import { VendorKeyForm } from './vendor-key-form.tsx'
import { vendorKeyProvidersQuery, vendorKeysQuery, type VendorKey } from './vendor-key-queries.ts'
import { VendorKeyTable, type VendorKeyAction } from './vendor-key-table.tsx'
import { DeleteVendorKeyForm, ReplaceForm, RulesForm } from './change-forms.tsx'

interface Opened {
  action: VendorKeyAction | 'add'
  vendorKey?: VendorKey
}

/** The account's own vendor keys, which its requests use first. */
export default function VendorKeys() {
  const may = useMay()
  const query = useQuery(vendorKeysQuery)
  const { data: offered } = useQuery(vendorKeyProvidersQuery)
  const [opened, setOpened] = useState<Opened>()
  if (!may('vendor-keys'))
    return (
      <Unavailable title="Not available for your role">
        Only owners and admins can manage vendor keys.
      </Unavailable>
    )
  if (query.error instanceof ApiFailure && query.error.status === 404)
    return (
      <Unavailable title="Not available on this gateway">
        The operator of this gateway has not turned on vendor keys.
      </Unavailable>
    )
  const add = () => setOpened({ action: 'add' })
  return (
    <Panel
      p={0}
      isHeadPadded
      title="Your vendor keys"
      description={`Used first for the models of their vendors. ${feeWords(offered?.fee_percent)}`}
      actions={
        <Button leftSection={<IconPlus size={16} />} onClick={add}>
          Add a key
        </Button>
      }
    >
      <Loaded query={query} skeleton={<Skeleton height={220} />}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyNote icon={IconKey} title="No keys yet">
              Add a key of your own account at a vendor. The vendor then bills you directly for its models.
            </EmptyNote>
          ) : (
            <VendorKeyTable
              vendorKeys={data}
              providers={offered?.data ?? []}
              onOpen={(action, vendorKey) => setOpened({ action, vendorKey })}
            />
          )
        }
      </Loaded>
      <Dialog opened={opened} onClose={() => setOpened(undefined)} />
    </Panel>
  )
}

function feeWords(percent: string | undefined): string {
  if (percent === undefined) return ''
  return percent === '0'
    ? 'The vendor bills you. There is no charge here.'
    : `The vendor bills you. The fee here is ${percent} % of the list price.`
}

function Unavailable({ title, children }: { title: string; children: string }) {
  return (
    <Panel>
      <EmptyNote icon={IconKey} title={title}>
        {children}
      </EmptyNote>
    </Panel>
  )
}

const titles: Record<Opened['action'], string> = {
  add: 'Add a vendor key',
  change: 'Edit key',
  replace: 'Replace key',
  delete: 'Remove key',
}

function Dialog({ opened, onClose }: { opened: Opened | undefined; onClose: () => void }) {
  const vendorKey = opened?.vendorKey
  return (
    <FormDialog opened={opened !== undefined} onClose={onClose} title={opened && titles[opened.action]}>
      {opened?.action === 'add' && <VendorKeyForm onDone={onClose} />}
      {opened?.action === 'change' && vendorKey && <RulesForm vendorKey={vendorKey} onDone={onClose} />}
      {opened?.action === 'replace' && vendorKey && <ReplaceForm vendorKey={vendorKey} onDone={onClose} />}
      {opened?.action === 'delete' && vendorKey && (
        <DeleteVendorKeyForm vendorKey={vendorKey} onDone={onClose} />
      )}
    </FormDialog>
  )
}
