import { ActionIcon, Menu } from '@mantine/core'
import { IconCoin, IconDots, IconUserCog } from '../../icons/icons.ts'
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'

const route = getRouteApi('/operator')

export function AccountActions({ account }: { account: Schemas['Account'] }) {
  const navigate = route.useNavigate()
  const go = (action: 'credit' | 'status') => () =>
    void navigate({ search: (before) => ({ ...before, action, account: account.id }), resetScroll: false })
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`Actions of ${account.display_name ?? account.email ?? account.id}`}
        >
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconCoin size={16} />} onClick={go('credit')}>
          Give or take credit
        </Menu.Item>
        <Menu.Item leftSection={<IconUserCog size={16} />} onClick={go('status')}>
          Status and tier
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
