const shapes = {
  menus: 'M5 4h14v16H5zM9 8h6M9 12h6M9 16h3',
  stock: 'M4 7h16v13H4zM4 7l2-3h12l2 3M9 12h6',
  orders: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6',
  payments: 'M3 6h18v12H3zM3 10h18M7 15h4',
  requests: 'M4 7h13l-3-3M20 17H7l3 3',
  webhooks: 'M9 4a4 4 0 1 1 3 7l-4 7M5 15a3.5 3.5 0 1 0 3.5 3.5H17M17 15a3.5 3.5 0 1 1-2 6',
  accounts: 'M14 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12M10 14l-7 7M6 18l2 2M16 9h.01',
  audit: 'M6 3h9l4 4v14H6zM15 3v4h4M9 12h7M9 16h7',
  health: 'M3 12h4l3-8 4 16 3-8h4',
  style:
    'M12 3a9 9 0 1 0 0 18c2 0 1-2 1-3s1-2 3-2h2a3 3 0 0 0 3-3c0-6-4-10-9-10M8 9h.01M12 7h.01M16 10h.01',
  connections: 'M9 7H6a4 4 0 0 0 0 8h3M15 7h3a4 4 0 0 1 0 8h-3M8 11h8',
  search: 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14m5 12 4 4',
  close: 'M6 6l12 12M18 6 6 18',
  down: 'm6 9 6 6 6-6',
  up: 'm6 15 6-6 6 6',
  back: 'm14 6-6 6 6 6',
  person: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8M4 20c1-4 4-6 8-6s7 2 8 6',
  clock: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18m0 4v5l3 2',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'm5 13 4 4L19 7',
  replay: 'M4 12a8 8 0 1 0 3-6L4 8m0-5v5h5',
  more: 'M5 11h2v2H5zM11 11h2v2h-2zM17 11h2v2h-2z',
  bell: 'M6 17h12l-2-3v-4a4 4 0 0 0-8 0v4zM10 20h4',
  bellOff: 'M6 17h12l-2-3v-4a4 4 0 0 0-8 0v4zM10 20h4M4 4l16 16',
  kitchen: 'M5 11h14v7a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2zM3 11h18M9 7V4m3 3V4m3 3V4',
  wide: 'M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5',
  place: 'M12 21s7-6 7-11a7 7 0 1 0-14 0c0 5 7 11 7 11m0-13.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5',
} as const;

export type IconName = keyof typeof shapes;

export const iconNames = Object.keys(shapes) as IconName[];

/** Decoration only: what it stands for must be in words beside it or in a label. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="mark" viewBox="0 0 24 24" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  );
}
