import { Menu, Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { actFor, currentOrganization } from '../../api/acting.ts'
import type { Schemas } from '../../api/client.ts'
import { organizationsQuery } from '../../api/queries.ts'
import { IconBuilding, IconCheck, IconHome, IconPlus } from '../../icons/icons.ts'

/** The accounts that the signed-in person may act for. */
export function AccountChoices() {
  const { data, error } = useQuery(organizationsQuery)
  const acted = currentOrganization()
  return (
    <>
      <Menu.Item
        leftSection={<IconHome size={16} />}
        rightSection={acted === undefined && <IconCheck size={14} aria-label="chosen" />}
        onClick={() => acted !== undefined && actFor(undefined)}
      >
        Your account
      </Menu.Item>
      <Menu.Divider />
      <Menu.Label>Organizations</Menu.Label>
      {data === undefined && error === null && <Skeleton height={32} mx="sm" w="auto" />}
      {error !== null && <Menu.Label>{error.message}</Menu.Label>}
      {data?.data.length === 0 && <Menu.Label fw={400}>You have no organizations yet.</Menu.Label>}
      {data?.data.map((one) => (
        <Choice key={one.id} organization={one} isChosen={one.id === acted} />
      ))}
      <Menu.Item
        leftSection={<IconPlus size={16} />}
        renderRoot={(props) => <Link to="/organization" search={{ action: 'new' }} {...props} />}
      >
        New organization
      </Menu.Item>
    </>
  )
}

interface ChoiceProps {
  organization: Schemas['Organization']
  isChosen: boolean
}

function Choice({ organization: { id, name, status }, isChosen }: ChoiceProps) {
  return (
    <Menu.Item
      leftSection={<IconBuilding size={16} />}
      rightSection={isChosen && <IconCheck size={14} aria-label="chosen" />}
      onClick={() => !isChosen && actFor(id)}
      disabled={status !== 'active'}
    >
      <Text size="sm" truncate maw={132} title={name}>
        {name}
      </Text>
      {status !== 'active' && (
        <Text size="xs" c="dimmed">
          {status}
        </Text>
      )}
    </Menu.Item>
  )
}
