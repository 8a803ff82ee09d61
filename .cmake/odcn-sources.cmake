# Copyright (c) 2026 The odcn authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# Every source file of odcn, once. CMakeLists.txt and wscript-compat/wscript both read this file, so
# keep its form: one file per line, alphabetical, nothing but names between the parentheses.
#
# To add a file: put its name below its kind and folder. A .h listed here is published as
# "ns3/NAME.h"; a header that only its own folder includes needs no line.

# Headers that several folders of odcn include, and nobody else.
odcn_files(private model/core
    odcn-attribute-text.h
    odcn-attributes.h
    odcn-file-lock.h
    odcn-mix-random-variable.h
    odcn-ns3-compat.h
    odcn-parallel.h
    odcn-process-team.h
    odcn-run-guard.h
    odcn-safe-text.h
    odcn-shared-library.h
    odcn-take-index.h
    odcn-worker-team.h
)

odcn_files(private model/optics/drawings
    odcn-svg-animation.h
    odcn-topology-svg.h
)

odcn_files(private model/optics/engines
    odcn-exact-engine.h
    odcn-exact-loop.h
    odcn-md1k-queue.h
    odcn-packet-events.h
    odcn-schedule-agreement.h
    odcn-schedule-control.h
    odcn-schedule-engine.h
    odcn-schedule-optics.h
)

odcn_files(private model/optics/fluid
    odcn-valiant-trains.h
)

odcn_files(private model/optics/matchings
    odcn-epoch-matching.h
    odcn-max-weight-matching.h
    odcn-solstice-matching.h
    odcn-vermilion-matching.h
)

odcn_files(private model/optics/ocs
    odcn-rotor-lb.h
    tor-rotor-lb-routing.h
)

odcn_files(private model/optics/schedules
    odcn-shortest-paths.h
)

odcn_files(private model/jobs
    odcn-evolution-strategy.h
    odcn-json-file.h
    odcn-returns.h
    odcn-rule.h
)

odcn_files(private model/jobs/training
    odcn-chakra-stream.h
    odcn-training-engine.h
    odcn-training-racks.h
    odcn-training-readers.h
)

odcn_files(private model/jobs/icci
    icci-move-features.h
    icci-ring-search.h
)

odcn_files(private model/agents
    odcn-a2c-learner.h
    odcn-a3c-learner.h
    odcn-archive.h
    odcn-evolution-learner.h
    odcn-mpi-ranks.h
    odcn-reinforce-learner.h
    odcn-torch-setup.h
)

# core: errors, units, text, files, random streams, statistics, the command line.
odcn_files(library model/core
    odcn-agent-library.cc
    odcn-agent-library.h
    odcn-atomic-file.cc
    odcn-atomic-file.h
    odcn-attribute-defaults.cc
    odcn-attribute-defaults.h
    odcn-attribute-text.cc
    odcn-command-line.cc
    odcn-command-line.h
    odcn-csv-table.h
    odcn-csv-writer.cc
    odcn-csv-writer.h
    odcn-data-file.cc
    odcn-data-file.h
    odcn-file-digest.cc
    odcn-file-digest.h
    odcn-departures.h
    odcn-error.cc
    odcn-error.h
    odcn-file-lock.cc
    odcn-given-attributes.cc
    odcn-given-attributes.h
    odcn-interruption.cc
    odcn-interruption.h
    odcn-latency-histogram.cc
    odcn-latency-histogram.h
    odcn-mix-random-variable.cc
    odcn-object-text.cc
    odcn-object-text.h
    odcn-output-files.cc
    odcn-output-files.h
    odcn-pcap-trace.cc
    odcn-pcap-trace.h
    odcn-process-team.cc
    odcn-random-stream.cc
    odcn-random-stream.h
    odcn-ranks.cc
    odcn-ranks.h
    odcn-row-reader.cc
    odcn-row-reader.h
    odcn-safe-text.cc
    odcn-sequential-stopping.cc
    odcn-sequential-stopping.h
    odcn-shared-library.cc
    odcn-statistics.cc
    odcn-statistics.h
    odcn-table.cc
    odcn-table.h
    odcn-text.cc
    odcn-text.h
    odcn-units.h
    odcn-variable-copy.cc
    odcn-variable-copy.h
    odcn-worker-team.cc
)

odcn_files(library helper/core
    odcn-simulator-ranks.cc
    odcn-simulator-ranks.h
)

# optics: what connects and carries, in events and without.
odcn_files(library model/optics/designs
    odcn-circuit-controller.cc
    odcn-circuit-controller.h
    odcn-fabric-design.cc
    odcn-fabric-design.h
    odcn-fabric-least-times.cc
    odcn-fabric-least-times.h
    odcn-fabric-parts.cc
    odcn-fabric-parts.h
    odcn-fabric-network.cc
    odcn-fabric-network.h
    odcn-fabric-size.cc
    odcn-fabric-size.h
)

odcn_files(library model/optics/drawings
    odcn-circuit-animation.cc
    odcn-circuit-animation.h
    odcn-svg-animation.cc
    odcn-timeline.cc
    odcn-timeline.h
    odcn-topology-drawing.cc
    odcn-topology-drawing.h
    odcn-topology-layout.cc
    odcn-topology-svg.cc
)

odcn_files(library model/optics/electrical
    odcn-packet-network.cc
    odcn-packet-network.h
    odcn-packet-topology.cc
    odcn-packet-topology.h
)

odcn_files(library model/optics/engines
    odcn-circuit-loads.cc
    odcn-circuit-loads.h
    odcn-exact-engine.cc
    odcn-exact-faults.cc
    odcn-exact-hosts.cc
    odcn-exact-loop.cc
    odcn-exact-packets.cc
    odcn-exact-packets.h
    odcn-fabric-model.cc
    odcn-fabric-model.h
    odcn-kaufman-roberts.cc
    odcn-kaufman-roberts.h
    odcn-link-loads.cc
    odcn-link-loads.h
    odcn-md1k-queue.cc
    odcn-network-model.cc
    odcn-network-model.h
    odcn-network-packets.cc
    odcn-network-packets.h
    odcn-packet-fabric.cc
    odcn-packet-fabric.h
    odcn-packet-port.h
    odcn-queue-table.cc
    odcn-queue-table.h
    odcn-sampled-queue.cc
    odcn-sampled-queue.h
    odcn-schedule-circuits.cc
    odcn-schedule-control.cc
    odcn-schedule-engine.cc
    odcn-schedule-faults.cc
    odcn-schedule-optics.cc
    odcn-schedule-packets.cc
    odcn-schedule-packets.h
    odcn-schedule-rotor-lb.cc
    odcn-schedule-tors.cc
    odcn-throughput-bound.cc
    odcn-throughput-bound.h
    odcn-turnaround-bound.cc
    odcn-turnaround-bound.h
)

odcn_files(library model/optics/faults
    odcn-fault-injector.cc
    odcn-fault-injector.h
    odcn-fault-plan.cc
    odcn-fault-plan.h
    odcn-fault-tally.cc
    odcn-fault-tally.h
    odcn-outages.cc
    odcn-outages.h
)

odcn_files(library model/optics/flows
    odcn-fabric-engine.cc
    odcn-fabric-engine.h
    odcn-flow-application.cc
    odcn-flow-application.h
    odcn-flow-header.cc
    odcn-flow-header.h
    odcn-flow-path.cc
    odcn-flow-path.h
    odcn-flow-recorder.cc
    odcn-flow-recorder.h
    odcn-flow-transport.cc
    odcn-flow-transport.h
    odcn-flow-workload.cc
    odcn-flow-workload.h
    odcn-job-flow-application.cc
    odcn-job-flow-application.h
    odcn-direct-udp.cc
    odcn-direct-udp.h
    odcn-logic-flow-transport.cc
    odcn-logic-flow-transport.h
    odcn-message-header.cc
    odcn-message-header.h
    odcn-message-order.cc
    odcn-message-order.h
    odcn-message-receiver.cc
    odcn-message-receiver.h
    odcn-message-stream.cc
    odcn-message-stream.h
    odcn-message.h
    odcn-nack-flow-transport.cc
    odcn-nack-flow-transport.h
    odcn-nack-logic.cc
    odcn-nack-logic.h
    odcn-packet-law.cc
    odcn-packet-law.h
    odcn-tcp-flow-transport.cc
    odcn-tcp-flow-transport.h
    odcn-traffic.cc
    odcn-traffic.h
    odcn-transport-header.cc
    odcn-transport-header.h
    odcn-transport-logic.cc
    odcn-transport-logic.h
    odcn-udp-flow-transport.cc
    odcn-udp-flow-transport.h
    odcn-udp-logic.cc
    odcn-udp-logic.h
)

odcn_files(library model/optics/fluid
    odcn-circuit-flow-level.cc
    odcn-circuit-flow-level.h
    odcn-due-queue.h
    odcn-fabric-flow-level.cc
    odcn-fabric-flow-level.h
    odcn-flow-level.cc
    odcn-flow-level.h
    odcn-flow-pairs.cc
    odcn-flow-pairs.h
    odcn-max-min-rates.cc
    odcn-max-min-rates.h
    odcn-network-flow-level.cc
    odcn-network-flow-level.h
    odcn-rail-messages.cc
    odcn-rail-messages.h
    odcn-switch-flow-level.cc
    odcn-switch-flow-level.h
    odcn-valiant-trains.cc
)

odcn_files(library model/optics/matchings
    odcn-birkhoff-matching.cc
    odcn-demand-meter.cc
    odcn-demand-meter.h
    odcn-epoch-matching.cc
    odcn-matching-schedule.cc
    odcn-matching-schedule.h
    odcn-matching.cc
    odcn-matching.h
    odcn-max-weight-matching.cc
    odcn-round-robin-matching.cc
    odcn-solstice-matching.cc
    odcn-vermilion-matching.cc
)

odcn_files(library model/optics/messages
    odcn-collective-builder.cc
    odcn-collective-builder.h
    odcn-collective-kinds.cc
    odcn-collective.cc
    odcn-collective.h
    odcn-message-plane.cc
    odcn-message-plane.h
    odcn-packet-messages.cc
    odcn-packet-messages.h
    odcn-plane-run.cc
    odcn-plane-run.h
    odcn-plane-traffic.cc
    odcn-plane-traffic.h
)

odcn_files(library model/optics/ocs
    ocs-address-plan.cc
    ocs-address-plan.h
    ocs-circuit-follower.cc
    ocs-circuit-follower.h
    ocs-circuit-host.cc
    ocs-circuit-host.h
    ocs-circuit-table.cc
    ocs-circuit-table.h
    ocs-drop-cause.cc
    ocs-drop-cause.h
    ocs-fabric.cc
    ocs-fabric.h
    ocs-fiber.cc
    ocs-fiber.h
    ocs-net-device.cc
    ocs-net-device.h
    ocs-packet-header.cc
    ocs-packet-header.h
    ocs-packet-monitor.cc
    ocs-packet-monitor.h
    ocs-schedule-follower.cc
    ocs-schedule-follower.h
    ocs-switch.cc
    ocs-switch.h
    odcn-circuit-host.h
    odcn-fair-order.h
    odcn-fair-queue.cc
    odcn-fair-queue.h
    odcn-management-network.cc
    odcn-management-network.h
    odcn-packet-spreading.cc
    odcn-packet-spreading.h
    odcn-packet-switch.cc
    odcn-packet-switch.h
    odcn-rank-arrivals.cc
    odcn-rank-arrivals.h
    odcn-rotor-lb.cc
    odcn-spreading-rounds.h
    odcn-trim-queue.cc
    odcn-trim-queue.h
    tor-buffer.cc
    tor-buffer.h
    tor-forwarding.h
    tor-rotor-lb-routing.cc
    tor-routing.cc
    tor-routing.h
    tor-switch.cc
    tor-switch.h
)

odcn_files(library model/optics/otn
    otn-controller.cc
    otn-controller.h
    otn-fiber.cc
    otn-fiber.h
    otn-lightpath.cc
    otn-lightpath.h
    otn-mesh-readers.cc
    otn-mesh.cc
    otn-mesh.h
    otn-network.cc
    otn-network.h
    otn-node.cc
    otn-node.h
    otn-wavelength-ledger.cc
    otn-wavelength-ledger.h
)

odcn_files(library model/optics/rddc
    rddc-channel-ledger.cc
    rddc-channel-ledger.h
    rddc-fabric.cc
    rddc-fabric.h
    rddc-network.cc
    rddc-network.h
    rddc-packet-tree.cc
    rddc-packet-tree.h
    rddc-topology.cc
    rddc-topology.h
)

odcn_files(library model/optics/schedules
    odcn-circuit-ledger.cc
    odcn-circuit-ledger.h
    odcn-circuit-hops.cc
    odcn-circuit-hops.h
    odcn-circuit-schedule-kinds.cc
    odcn-circuit-schedule.cc
    odcn-circuit-schedule.h
    odcn-demand-matrix.cc
    odcn-demand-matrix.h
    odcn-shortest-paths.cc
    odcn-torus-pod.cc
    odcn-torus-pod.h
    odcn-torus.cc
    odcn-torus.h
)

odcn_files(library helper/optics/designs
    odcn-fabric-design-helper.cc
    odcn-fabric-design-helper.h
)

odcn_files(library helper/optics/electrical
    odcn-packet-network-helper.cc
    odcn-packet-network-helper.h
)

odcn_files(library helper/optics/faults
    odcn-fault-helper.cc
    odcn-fault-helper.h
)

odcn_files(library helper/optics/flows
    odcn-flow-helper.cc
    odcn-flow-helper.h
    odcn-flow-report.cc
    odcn-flow-report.h
    odcn-flow-tally.cc
    odcn-flow-tally.h
    odcn-packet-traces.cc
    odcn-packet-traces.h
)

odcn_files(library helper/optics/ocs
    ocs-device-helper.cc
    ocs-device-helper.h
    ocs-helper.cc
    ocs-helper.h
    odcn-management-helper.cc
    odcn-management-helper.h
)

odcn_files(library helper/optics/otn
    otn-helper.cc
    otn-helper.h
)

odcn_files(library helper/optics/rddc
    rddc-fabric-helper.cc
    rddc-fabric-helper.h
)

# jobs: decisions, and a folder for each system.
odcn_files(library model/jobs
    odcn-action-scorer.h
    odcn-decision-explanation.cc
    odcn-decision-explanation.h
    odcn-decision-policy.cc
    odcn-decision-policy.h
    odcn-decision-problem.cc
    odcn-decision-problem.h
    odcn-evolution-strategy.cc
    odcn-figure.h
    odcn-hindsight-search.cc
    odcn-hindsight-search.h
    odcn-json-file.cc
    odcn-lookahead-policy.cc
    odcn-lookahead-policy.h
    odcn-observation-form.cc
    odcn-observation-form.h
    odcn-packet-timeline.h
    odcn-policy-registry.cc
    odcn-policy-registry.h
    odcn-returns.cc
    odcn-rollout.cc
    odcn-rollout.h
    odcn-scheduler-application.cc
    odcn-scheduler-application.h
    odcn-source.h
    odcn-window-scheduler.cc
    odcn-window-scheduler.h
)

odcn_files(library model/jobs/cluster
    cluster-job-file.cc
    cluster-job-file.h
    cluster-job-generator.cc
    cluster-job-generator.h
    cluster-job.h
    cluster-ledger.h
    cluster-rules.cc
    cluster-scheduling.cc
    cluster-scheduling.h
)

odcn_files(library model/jobs/icci
    icci-bulk-migration-application.cc
    icci-bulk-migration-application.h
    icci-day-figures.cc
    icci-day-figures.h
    icci-deployment.cc
    icci-deployment.h
    icci-forecast.cc
    icci-forecast.h
    icci-lightpath-ledger.cc
    icci-lightpath-ledger.h
    icci-loads.h
    icci-manager.cc
    icci-manager.h
    icci-migration-control.cc
    icci-migration-control.h
    icci-migration-scheduler.cc
    icci-migration-scheduler.h
    icci-migration.cc
    icci-migration.h
    icci-move-features.cc
    icci-packet-plane.cc
    icci-packet-plane.h
    icci-pool.cc
    icci-pool.h
    icci-ring-all-reduce-application.cc
    icci-ring-all-reduce-application.h
    icci-ring-search.cc
    icci-rules.cc
    icci-task-generator.cc
    icci-task-generator.h
    icci-task.cc
    icci-task.h
    icci-tide.cc
    icci-tide.h
)

odcn_files(library model/jobs/matching
    odcn-matching-controller.cc
    odcn-matching-controller.h
    odcn-matching-problem.cc
    odcn-matching-problem.h
    odcn-matching-rules.cc
)

odcn_files(library model/jobs/odcn
    odcn-basic-rules.cc
    odcn-compute-ledger.cc
    odcn-compute-ledger.h
    odcn-continuous-traffic.cc
    odcn-continuous-traffic.h
    odcn-cs-mgr.cc
    odcn-cs-mgr.h
    odcn-jcb-policy.cc
    odcn-jcb-policy.h
    odcn-job-file.cc
    odcn-job-file.h
    odcn-job-flows.cc
    odcn-job-flows.h
    odcn-job-generator.cc
    odcn-job-generator.h
    odcn-job-pattern.cc
    odcn-job-pattern.h
    odcn-job.h
    odcn-linear-policy.cc
    odcn-linear-policy.h
    odcn-n-mgr.cc
    odcn-n-mgr.h
    odcn-placement-packets.cc
    odcn-placement-packets.h
    odcn-placement-scheduler.cc
    odcn-placement-scheduler.h
    odcn-placement-window.cc
    odcn-placement-window.h
    odcn-rack-features.cc
    odcn-rack-features.h
    odcn-rack-outlook.cc
    odcn-rack-outlook.h
    odcn-rack-search.cc
    odcn-rack-search.h
    odcn-rack-views.cc
    odcn-rack-views.h
    odcn-rules.cc
    odcn-scheduling.cc
    odcn-scheduling.h
)

odcn_files(library model/jobs/rddc
    rddc-allocation-scheduler.cc
    rddc-allocation-scheduler.h
    rddc-allocation.cc
    rddc-allocation.h
    rddc-manager.cc
    rddc-manager.h
    rddc-placement-features.cc
    rddc-placement-features.h
    rddc-request-file.cc
    rddc-request-file.h
    rddc-request-generator.cc
    rddc-request-generator.h
    rddc-request.h
    rddc-rules.cc
    rddc-server-ledger.h
)

odcn_files(library model/jobs/training
    odcn-aicb-reader.cc
    odcn-chakra-prefix.cc
    odcn-chakra-reader.cc
    odcn-chakra-refusal.cc
    odcn-chakra-stream.cc
    odcn-circuit-rule.cc
    odcn-circuit-rule.h
    odcn-goal-reader.cc
    odcn-least-time-rule.cc
    odcn-least-time-rule.h
    odcn-slice-cube-policies.cc
    odcn-slice-folding.cc
    odcn-slice-folding.h
    odcn-slice-ledger.cc
    odcn-slice-ledger.h
    odcn-slice-policy.cc
    odcn-slice-policy.h
    odcn-slice-queue.cc
    odcn-slice-queue.h
    odcn-slice-torus-policies.cc
    odcn-slice-workload.cc
    odcn-slice-workload.h
    odcn-training-bound.cc
    odcn-training-bound.h
    odcn-training-bytes.cc
    odcn-training-bytes.h
    odcn-training-check.cc
    odcn-training-cluster.cc
    odcn-training-cluster.h
    odcn-training-controller.cc
    odcn-training-controller.h
    odcn-training-csv-reader.cc
    odcn-training-engine.cc
    odcn-training-fluid.cc
    odcn-training-fluid.h
    odcn-training-job-list.cc
    odcn-training-job-list.h
    odcn-training-job.cc
    odcn-training-job.h
    odcn-training-links.cc
    odcn-training-links.h
    odcn-training-mix.cc
    odcn-training-mix.h
    odcn-training-model.cc
    odcn-training-model.h
    odcn-training-path.cc
    odcn-training-path.h
    odcn-training-phases.cc
    odcn-training-phases.h
    odcn-training-placement.cc
    odcn-training-placement.h
    odcn-training-policy-placement.cc
    odcn-training-policy-placement.h
    odcn-training-problem.cc
    odcn-training-problem.h
    odcn-training-rules.cc
    odcn-training-racks.cc
    odcn-training-run.cc
    odcn-training-run.h
    odcn-training-scheduler.cc
    odcn-training-scheduler.h
    odcn-training-source.cc
    odcn-training-source.h
    odcn-training-times.h
    odcn-training-waits.cc
    odcn-training-waits.h
    odcn-circuit-policies.cc
    odcn-circuit-problem.cc
    odcn-circuit-problem.h
    odcn-squash.h
    odcn-learned-rule.cc
    odcn-learned-rule.h
)

odcn_files(library helper/jobs
    odcn-problems.cc
    odcn-problems.h
    odcn-training-options.cc
    odcn-training-options.h
    odcn-training-recipe.cc
)

odcn_files(library helper/jobs/cluster
    cluster-helper.cc
    cluster-helper.h
)

odcn_files(library helper/jobs/icci
    icci-helper.cc
    icci-helper.h
    icci-plane-helper.cc
    icci-plane-helper.h
)

odcn_files(library helper/jobs/odcn
    odcn-helper.cc
    odcn-helper.h
)

odcn_files(library helper/jobs/rddc
    rddc-helper.cc
    rddc-helper.h
)

odcn_files(library helper/jobs/training
    odcn-training-jobs-helper.cc
    odcn-training-jobs-helper.h
    odcn-training-jobs-run.cc
    odcn-training-jobs-run.h
)

# lab: what measures and compares.
odcn_files(library model/lab
    cluster-job-recorder.cc
    cluster-job-recorder.h
    icci-day-recorder.cc
    icci-day-recorder.h
    odcn-experiment-output.cc
    odcn-experiment.cc
    odcn-experiment.h
    odcn-fabric-meter.cc
    odcn-fabric-meter.h
    odcn-job-recorder.cc
    odcn-job-recorder.h
    odcn-live-page.cc
    odcn-live-page.h
    odcn-observations.cc
    odcn-observations.h
    odcn-packet-recorder.cc
    odcn-packet-recorder.h
    odcn-progress.cc
    odcn-progress.h
    odcn-report-chart.cc
    odcn-report-chart.h
    odcn-run-report.cc
    odcn-run-report.h
    odcn-use-over-time.cc
    odcn-use-over-time.h
    odcn-window-recorder.cc
    odcn-window-recorder.h
    rddc-window-recorder.cc
    rddc-window-recorder.h
)

# agents: LibTorch. It becomes a library of its own, odcn-agent.
odcn_files(library model/agents
    odcn-a2c-learner.cc
    odcn-a3c-learner.cc
    odcn-agent-policy.cc
    odcn-agent-policy.h
    odcn-archive.cc
    odcn-attention-network.cc
    odcn-branch-learner.cc
    odcn-checkpoint.cc
    odcn-checkpoint.h
    odcn-clone-learner.cc
    odcn-cnn-network.cc
    odcn-evolution-learner.cc
    odcn-gradient-learner-clone.cc
    odcn-gradient-learner.cc
    odcn-gradient-learner.h
    odcn-graph-sage-network.cc
    odcn-learner.cc
    odcn-learner.h
    odcn-mixture-network.cc
    odcn-mlp-network.cc
    odcn-mpi-ranks.cc
    odcn-policy-network.cc
    odcn-policy-network.h
    odcn-ppo-learner.cc
    odcn-ppo-learner.h
    odcn-reinforce-learner.cc
    odcn-scorer-network.cc
    odcn-torch-setup.cc
)

# Where there is Boost.MPI.
odcn_files(mpi model/agents
    odcn-boost-mpi-ranks.cc
)

odcn_files(library helper/agents
    odcn-recipe-training.cc
    odcn-training.cc
    odcn-training.h
)

# Tests stand beside their subject. KIND:PART has those that need a later part than their folder's.

# ns-3 TestSuites: what lives in the simulator.
odcn_files(suite test/optics
    icci-fat-tree-test-suite.cc
    odcn-collective-test-suite.cc
    odcn-engine-test-suite.cc
    odcn-exact-messages-test-suite.cc
    odcn-fabric-design-test-suite.cc
    odcn-fabric-packets-test-suite.cc
    odcn-fair-queue-test-suite.cc
    odcn-flow-level-test-suite.cc
    odcn-flow-lifetime-test-suite.cc
    odcn-flow-test-suite.cc
    odcn-hybrid-test-suite.cc
    odcn-job-flow-test-suite.cc
    odcn-message-test-suite.cc
    odcn-network-packets-test-suite.cc
    odcn-ns3-traps-test-suite.cc
    odcn-optics-queue-test-suite.cc
    odcn-optics-test-suite.cc
    odcn-packet-network-test-suite.cc
    odcn-picture-test-suite.cc
    odcn-rail-test-suite.cc
    odcn-rank-test-suite.cc
    odcn-repair-test-suite.cc
    odcn-rotor-lb-test-suite.cc
    odcn-schedule-packets-test-suite.cc
    odcn-timeline-test-suite.cc
    odcn-tor-test-suite.cc
    odcn-valiant-test-suite.cc
    otn-lightpath-test-suite.cc
)

odcn_files(suite:jobs test/optics
    odcn-fault-test-suite.cc
)

odcn_files(suite:lab test/optics
    odcn-schedule-test-suite.cc
)

odcn_files(suite test/jobs
    icci-applications-test-suite.cc
    icci-migration-scheduler-test-suite.cc
    odcn-fabric-jobs-test-suite.cc
    odcn-matching-controller-test-suite.cc
    odcn-training-bound-test-suite.cc
    odcn-training-circuits-test-suite.cc
    odcn-training-cluster-test-suite.cc
    odcn-training-restart-test-suite.cc
    odcn-training-run-test-suite.cc
)

odcn_files(suite:lab test/jobs
    odcn-continuous-test-suite.cc
    odcn-scheduler-test-suite.cc
    rddc-packets-test-suite.cc
)

odcn_files(suite test/lab
    odcn-lifetime-test-suite.cc
)

# GoogleTest: what needs no simulator.
odcn_files(gtest test/core
    odcn-atomic-file-test.cc
    odcn-csv-table-test.cc
    odcn-error-test.cc
    odcn-process-team-test.cc
    odcn-report-test.cc
    odcn-statistics-test.cc
    odcn-text-test.cc
    odcn-worker-team-test.cc
)

odcn_files(gtest:jobs test/core
    odcn-command-line-test.cc
    odcn-property-test.cc
)

odcn_files(gtest test/optics
    odcn-circuit-schedule-test.cc
    odcn-circuit-test.cc
    odcn-demand-matrix-test.cc
    odcn-due-queue-test.cc
    odcn-fair-queue-test.cc
    odcn-fault-plan-test.cc
    odcn-flow-workload-test.cc
    odcn-kaufman-roberts-test.cc
    odcn-matching-test.cc
    odcn-max-min-rates-test.cc
    odcn-packet-fabric-test.cc
    odcn-packet-law-test.cc
    odcn-packet-port-test.cc
    odcn-queueing-test.cc
    odcn-sampled-queue-test.cc
    odcn-throughput-bound-test.cc
    odcn-torus-pod-test.cc
    odcn-torus-test.cc
    odcn-traffic-test.cc
    odcn-turnaround-bound-test.cc
    otn-fabric-test.cc
    otn-mesh-test.cc
    rddc-fabric-test.cc
    rddc-packet-tree-test.cc
    tor-buffer-test.cc
)

odcn_files(gtest:jobs test/optics
    odcn-fabric-design-test.cc
    odcn-fabric-parts-test.cc
)

odcn_files(gtest:lab test/optics
    odcn-packet-allocation-test.cc
)

odcn_files(gtest test/jobs
    cluster-job-file-test.cc
    icci-manager-test.cc
    icci-pool-test.cc
    icci-workload-test.cc
    odcn-compute-test.cc
    odcn-control-test.cc
    odcn-cs-mgr-test.cc
    odcn-failure-test.cc
    odcn-job-file-test.cc
    odcn-job-flows-test.cc
    odcn-job-generator-test.cc
    odcn-linear-policy-test.cc
    odcn-matching-problem-test.cc
    odcn-policy-test.cc
    odcn-rack-search-test.cc
    odcn-reward-latency-test.cc
    odcn-scheduling-test.cc
    odcn-slice-test.cc
    odcn-training-problem-test.cc
    odcn-training-readers-test.cc
    odcn-workload-file-test.cc
    rddc-allocation-test.cc
    rddc-manager-test.cc
    rddc-placement-features-test.cc
)

odcn_files(gtest:lab test/jobs
    cluster-scheduling-test.cc
    icci-migration-test.cc
    odcn-hindsight-search-test.cc
    odcn-own-reward-test.cc
    odcn-problem-contract-test.cc
    rddc-policy-test.cc
)

odcn_files(gtest test/lab
    odcn-experiment-test.cc
    odcn-fuzz-test.cc
    odcn-live-page-test.cc
    odcn-misuse-test.cc
    odcn-packet-recorder-test.cc
    odcn-progress-test.cc
    odcn-run-report-test.cc
)

odcn_files(gtest test/agents
    odcn-a3c-test.cc
    odcn-agent-learner-test.cc
    odcn-agent-network-test.cc
    odcn-branch-learner-test.cc
    odcn-checkpoint-test.cc
    odcn-cnn-network-test.cc
    odcn-each-learner-test.cc
    odcn-evolution-test.cc
    odcn-frozen-network-test.cc
    odcn-graph-network-test.cc
    odcn-ppo-test.cc
    odcn-reinforce-test.cc
    odcn-torch-setup-test.cc
    odcn-training-recipe-test.cc
)

# Fuzz targets of the readers: parts of odcn-gtest, and programs with ODCN_FUZZ.
odcn_files(fuzz test/fuzz
    icci-tide-fuzz.cc
    odcn-demand-matrix-fuzz.cc
    odcn-fault-fuzz.cc
    odcn-flow-fuzz.cc
    odcn-job-file-fuzz.cc
    odcn-linear-fuzz.cc
    odcn-object-text-fuzz.cc
    odcn-recipe-fuzz.cc
    odcn-schedule-fuzz.cc
    odcn-training-fuzz.cc
    otn-mesh-fuzz.cc
)

# Google Benchmark: how fast things are.
odcn_files(benchmark test/benchmark
    cluster-benchmark.cc
    icci-benchmark.cc
    odcn-bound-benchmark.cc
    odcn-core-benchmark.cc
    odcn-engine-benchmark.cc
    odcn-fair-queue-benchmark.cc
    odcn-message-benchmark.cc
    odcn-network-packets-benchmark.cc
    odcn-packet-benchmark.cc
    odcn-race-benchmark.cc
    odcn-scaling-benchmark.cc
    odcn-schedule-benchmark.cc
    rddc-benchmark.cc
)

# Google Benchmark of the agents, beside LibTorch.
odcn_files(agent-benchmark test/benchmark
    odcn-agent-benchmark.cc
)

# odcn's side of the comparisons with other designs (test/benchmark/compare.py).
odcn_files(peer test/benchmark
    odcn-peer-shared-memory.cc
    odcn-peer-zmq.cc
    odcn-peer.cc
)

# Ends a program at a call that changes a file (test/crash-test.sh).
odcn_files(crash test/crash
    odcn-crash.cc
)

# Runs a program many times after loading its libraries once (test/odcn-program-kit.sh).
odcn_files(prestart test/prestart
    odcn-prestart.cc
)

# What test/python-test.sh compares Python with.
odcn_files(python-test test/jobs
    python-rewards.cc
)
odcn_files(python-growing test/jobs
    odcn-growing-problem.cc
)
