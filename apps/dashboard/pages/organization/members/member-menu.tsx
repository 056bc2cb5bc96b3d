import { Menu } from '@mantine/core'
import { RowMenu } from '../../../components/tables/row-menu.tsx'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../../api/client.ts'
import { memberName } from '../../../api/team.ts'
import { IconChartBar, IconKey, IconLogout, IconTrash, IconUserCog } from '../../../icons/icons.ts'
import { useDialog } from '../use-dialog.ts'

interface MemberMenuProps {
  member: Schemas['Member']
  isSelf: boolean
}

/** The actions on a member; the person themselves can only leave. */
export function MemberMenu({ member, isSelf }: MemberMenuProps) {
  const { open } = useDialog()
  return (
    <RowMenu of={memberName(member)}>
      <Menu.Item
        leftSection={<IconChartBar size={16} />}
        renderRoot={(props) => <Link to="/usage" search={{ member: member.id }} {...props} />}
      >
        Usage
      </Menu.Item>
      <Menu.Item
        leftSection={<IconKey size={16} />}
        renderRoot={(props) => <Link to="/keys" search={{ member: member.id }} {...props} />}
      >
        Keys
      </Menu.Item>
      {!isSelf && (
        <Menu.Item
          leftSection={<IconUserCog size={16} />}
          onClick={() => open({ action: 'role', member: member.id })}
        >
          {member.kind === 'service' ? 'Rename' : 'Change role'}
        </Menu.Item>
      )}
      <Menu.Divider />
      {isSelf ? (
        <Menu.Item
          color="red"
          leftSection={<IconLogout size={16} />}
          onClick={() => open({ action: 'leave' })}
        >
          Leave
        </Menu.Item>
      ) : (
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} />}
          onClick={() => open({ action: 'remove', member: member.id })}
        >
          Remove
        </Menu.Item>
      )}
    </RowMenu>
  )
}
