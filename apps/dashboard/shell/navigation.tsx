import {
  IconActivity,
  IconBell,
  IconBuilding,
  IconChartBar,
  IconCreditCard,
  IconFolder,
  IconGauge,
  IconHome,
  IconKey,
  IconListDetails,
  IconMessage,
  IconSettings,
  IconCube,
} from '../icons/icons.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { currentOrganization } from '../api/acting.ts'
import { useMay, type Permission } from '../api/permissions.ts'
import { accountQuery } from '../api/queries.ts'
import type { Icon } from '../icons/draw.tsx'
import classes from './shell.module.css'

interface Place {
  to: string
  label: string
  icon: Icon
  /** Absent: every member of an organization may go there. */
  needs?: Permission
}

const places = [
  { to: '/', label: 'Home', icon: IconHome },
  { to: '/keys', label: 'Keys', icon: IconKey, needs: 'keys:read' },
  { to: '/projects', label: 'Projects', icon: IconFolder },
  { to: '/usage', label: 'Usage', icon: IconChartBar, needs: 'usage:read' },
  { to: '/health', label: 'Health', icon: IconActivity, needs: 'usage:read' },
  { to: '/requests', label: 'Requests', icon: IconListDetails, needs: 'usage:read' },
  { to: '/credit', label: 'Credit', icon: IconCreditCard, needs: 'billing:read' },
  { to: '/budgets', label: 'Budgets', icon: IconGauge, needs: 'usage:read' },
  { to: '/alerts', label: 'Alerts', icon: IconBell, needs: 'alerts:write' },
  { to: '/models', label: 'Models', icon: IconCube },
  { to: '/playground', label: 'Playground', icon: IconMessage, needs: 'playground:use' },
] as const satisfies Place[]
const organizationPlace = { to: '/organization', label: 'Organization', icon: IconBuilding } as const
const operatorPlace = { to: '/operator', label: 'Operator', icon: IconSettings } as const

export function Navigation() {
  const { data: account } = useQuery(accountQuery)
  const may = useMay()
  const shown = [
    ...places.filter((place) => !('needs' in place) || may(place.needs)),
    ...(currentOrganization() === undefined ? [] : [organizationPlace]),
    ...(account?.operator === true ? [operatorPlace] : []),
  ]
  return (
    <ul className={classes.links}>
      {shown.map(({ to, label, icon: PlaceIcon }) => (
        <li key={label}>
          <Link to={to} className={classes.link} activeOptions={{ exact: to === '/', includeSearch: false }}>
            <PlaceIcon size={19} stroke={1.7} aria-hidden />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  )
}
