import { Button, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { downloadOwnData } from '../../../api/download.ts'
import { usePerson } from '../../../api/use-person.ts'
import { FailureNote } from '../../../components/failure-note.tsx'
import { FormDialog } from '../../../components/forms/form-dialog.tsx'
import { Panel } from '../../../components/panel.tsx'
import { IconDownload } from '../../../icons/icons.ts'
import { useDialog } from '../use-dialog.ts'
import { CloseForm } from './close-form.tsx'

const whatIsInIt =
  'A ZIP file with all data of your account, as CSV and JSON: account, billing address, keys ' +
  'without secrets, sessions, top-ups with receipts, ledger, usage and requests.'

/** Exports the account's data, and closes the account. */
export function OwnData() {
  const { data: account } = usePerson()
  const { action, open, close } = useDialog()
  const download = useMutation({ mutationFn: () => downloadOwnData(`turnpike-${account?.id ?? 'data'}`) })
  return (
    <Stack gap="lg">
      <Panel title="Download your data" description={whatIsInIt}>
        <Stack gap="sm" align="flex-start">
          <Button
            leftSection={<IconDownload size={16} />}
            loading={download.isPending}
            onClick={() => download.mutate()}
          >
            Download
          </Button>
          <Text size="sm" c="dimmed" role="status">
            {download.isPending && 'The file is created as you download it. This may take a while.'}
            {download.isSuccess && 'Done. See README.txt in the ZIP for a description of the files.'}
          </Text>
          {download.error !== null && <FailureNote error={download.error} />}
        </Stack>
      </Panel>
      <Panel
        title="Close account"
        description="Keys stop working at once and you are signed out everywhere. This cannot be undone."
      >
        <Button variant="default" onClick={() => open('close')}>
          Close account…
        </Button>
      </Panel>
      <FormDialog opened={action === 'close'} onClose={close} title="Close account" size="lg">
        {action === 'close' && <CloseForm onCancel={close} />}
      </FormDialog>
    </Stack>
  )
}
