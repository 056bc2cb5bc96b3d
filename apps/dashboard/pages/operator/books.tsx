import { Alert, Button, Stack, Table, Text } from '@mantine/core'
import { IconCircleCheck, IconScale } from '../../icons/icons.ts'
import { useMutation } from '@tanstack/react-query'
import { api, bodyOf } from '../../api/client.ts'
import { FailureNote } from '../../components/failure-note.tsx'
import { Panel } from '../../components/panel.tsx'
import { ScrollTable } from '../../components/scroll-table.tsx'
import { counted } from '../../format/number.ts'

/** Every balance, lease and charge computed anew from what they are made of. */
export function Books() {
  const check = useMutation({ mutationFn: () => bodyOf(api.GET('/api/v1/admin/ledger/verify')) })
  return (
    <Panel
      title="Do the books agree?"
      description="Every balance, lease and charge is computed anew from the entries behind it."
    >
      <Stack align="flex-start">
        <Button
          leftSection={<IconScale size={16} />}
          loading={check.isPending}
          onClick={() => check.mutate()}
        >
          Verify the ledger
        </Button>
        {check.error !== null && <FailureNote error={check.error} />}
        {check.data?.ok === true && (
          <Alert
            color="teal"
            variant="light"
            icon={<IconCircleCheck size={20} />}
            title="They agree"
            w="100%"
          >
            {counted(check.data.checked, 'figure')} checked, no difference.
          </Alert>
        )}
        {check.data?.ok === false && <Differences differences={check.data.differences} />}
      </Stack>
    </Panel>
  )
}

function Differences({
  differences,
}: {
  differences: { subject: string; expected: string; found: string }[]
}) {
  return (
    <Alert
      color="red"
      variant="light"
      title={counted(differences.length, 'difference')}
      w="100%"
      role="alert"
    >
      <ScrollTable label="Differences" minWidth={480}>
        <Table.Tbody>
          {differences.map(({ subject, expected, found }) => (
            <Table.Tr key={subject}>
              <Table.Td>{subject}</Table.Td>
              <Table.Td>
                <Text size="sm">
                  expected {expected}, found {found}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrollTable>
    </Alert>
  )
}
