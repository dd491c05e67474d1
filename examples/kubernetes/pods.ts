/** A pod as the API server gives it, as far as the tools read it; the rest of the object is what they leave out. */
export interface Pod {
  readonly apiVersion: 'v1';
  readonly kind: 'Pod';
  readonly metadata: { readonly name: string; readonly namespace: string; readonly [field: string]: unknown };
  readonly spec: {
    readonly containers: readonly {
      readonly name: string;
      readonly image: string;
      readonly resources: { readonly limits: { readonly memory: string } };
    }[];
    readonly [field: string]: unknown;
  };
  readonly status: {
    readonly phase: string;
    readonly containerStatuses: readonly ContainerStatus[];
    readonly [field: string]: unknown;
  };
}

interface ContainerStatus {
  readonly name: string;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly state: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly lastState: {
    readonly terminated?: { readonly exitCode: number; readonly reason: string; readonly finishedAt: string };
  };
}

const WELL: Omit<ContainerStatus, 'name'> = {
  ready: true,
  restartCount: 0,
  state: { running: { startedAt: '2026-09-30T06:00:00Z' } },
  lastState: {},
};

/** The cluster: one pod that runs out of memory again and again, one that is well, and one of somebody else. */
export const PODS: readonly Pod[] = [
  pod('payments', 'payments-api-7d9f', {
    ready: false,
    restartCount: 8,
    state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s restarting failed container' } },
    lastState: { terminated: { exitCode: 137, reason: 'OOMKilled', finishedAt: '2026-10-02T09:14:11Z' } },
  }),
  pod('payments', 'payments-worker-5c4b', WELL),
  pod('kube-system', 'coredns-6f6b', WELL),
];

function pod(namespace: string, name: string, status: Omit<ContainerStatus, 'name'>): Pod {
  const app = name.replace(/-[^-]+$/, '');
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: { app }, uid: `uid-of-${name}`, resourceVersion: '48151' },
    spec: {
      nodeName: 'node-3',
      serviceAccountName: app,
      containers: [
        {
          name: app,
          image: `registry.example.com/${app}:1.42.0`,
          resources: { limits: { memory: '256Mi' } },
        },
      ],
    },
    status: {
      phase: 'Running',
      podIP: '10.42.0.17',
      qosClass: 'Burstable',
      containerStatuses: [{ name: app, ...status }],
    },
  };
}
