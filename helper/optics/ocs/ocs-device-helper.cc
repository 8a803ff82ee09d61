// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#include "ocs-device-helper.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-interface-address.h"
#include "ns3/ipv4.h"
#include "ns3/log.h"
#include "ns3/mac48-address.h"
#include "ns3/node.h"
#include "ns3/odcn-error.h"
#include "ns3/odcn-pcap-trace.h"
#include "ns3/queue.h"

namespace ns3::odcn
{

NS_LOG_COMPONENT_DEFINE("OcsDeviceHelper");

OcsDeviceHelper::OcsDeviceHelper() = default;

OcsDeviceHelper::~OcsDeviceHelper() = default;

ObjectFactory
OcsDeviceHelper::MakeQueueFactory(std::string type, const QueueSize& maxSize)
{
    QueueBase::AppendItemTypeIfNotPresent(type, "Packet");
    ObjectFactory factory;
    factory.SetTypeId(type);
    factory.Set("MaxSize", QueueSizeValue(maxSize));
    return factory;
}

Ptr<OcsNetDevice>
OcsDeviceHelper::AddPort(Ptr<Node> node, const ObjectFactory& factory, const ObjectFactory& queue)
{
    Ptr<OcsNetDevice> device = factory.Create<OcsNetDevice>();
    device->SetQueue(queue.Create<Queue<Packet>>());
    device->SetAddress(Mac48Address::Allocate());
    node->AddDevice(device);
    return device;
}

void
OcsDeviceHelper::InstallIpv4(Ptr<OcsNetDevice> device, Ipv4Address address, Ipv4Mask mask)
{
    const Ptr<Node> node = device->GetNode();
    if (!node->GetObject<Ipv4>())
    {
        InternetStackHelper stack;
        stack.SetIpv6StackInstall(false);
        stack.Install(node);
    }
    const Ptr<Ipv4> ipv4 = node->GetObject<Ipv4>();
    const uint32_t interface = ipv4->AddInterface(device);
    ipv4->AddAddress(interface, Ipv4InterfaceAddress(address, mask));
    ipv4->SetMetric(interface, 1);
    ipv4->SetUp(interface);
}

void
OcsDeviceHelper::EnablePcapInternal(std::string prefix,
                                    Ptr<NetDevice> nd,
                                    bool,
                                    bool explicitFilename)
{
    Ptr<OcsNetDevice> device = nd->GetObject<OcsNetDevice>();
    if (!device)
    {
        NS_LOG_INFO("device " << nd << " is not an OcsNetDevice");
        return;
    }
    const std::string name =
        explicitFilename ? prefix : PcapHelper().GetFilenameFromDevice(prefix, device);
    auto file = CreateObject<PcapTrace>();
    // At tens of Gb/s several packets fall into one microsecond.
    file->SetAttribute("NanosecMode", BooleanValue(true));
    file->Begin(name, PcapHelper::DLT_RAW);
    PcapHelper().HookDefaultSink<OcsNetDevice>(device,
                                               "PromiscSniffer",
                                               Ptr<PcapFileWrapper>(file));
}

void
OcsDeviceHelper::EnableAsciiInternal(Ptr<OutputStreamWrapper> stream,
                                     std::string prefix,
                                     Ptr<NetDevice> nd,
                                     bool explicitFilename)
{
    Ptr<OcsNetDevice> device = nd->GetObject<OcsNetDevice>();
    if (!device)
    {
        NS_LOG_INFO("device " << nd << " is not an OcsNetDevice");
        return;
    }
    Packet::EnablePrinting();
    AsciiTraceHelper ascii;
    Ptr<Queue<Packet>> queue = device->GetQueue();
    if (!stream)
    {
        const std::string name =
            explicitFilename ? prefix : ascii.GetFilenameFromDevice(prefix, device);
        Ptr<OutputStreamWrapper> file = ascii.CreateFileStream(name);
        ascii.HookDefaultReceiveSinkWithoutContext<OcsNetDevice>(device, "MacRx", file);
        ascii.HookDefaultEnqueueSinkWithoutContext<Queue<Packet>>(queue, "Enqueue", file);
        ascii.HookDefaultDequeueSinkWithoutContext<Queue<Packet>>(queue, "Dequeue", file);
        ascii.HookDefaultDropSinkWithoutContext<OcsNetDevice>(device, "MacTxDrop", file);
        ascii.HookDefaultDropSinkWithoutContext<OcsNetDevice>(device, "PhyTxDrop", file);
        ascii.HookDefaultDropSinkWithoutContext<OcsNetDevice>(device, "PhyRxDrop", file);
        return;
    }
    const std::string path = "/NodeList/" + std::to_string(nd->GetNode()->GetId()) +
                             "/DeviceList/" + std::to_string(nd->GetIfIndex()) +
                             "/$ns3::odcn::OcsNetDevice/";
    Config::Connect(path + "MacRx",
                    MakeBoundCallback(&AsciiTraceHelper::DefaultReceiveSinkWithContext, stream));
    Config::Connect(path + "TxQueue/Enqueue",
                    MakeBoundCallback(&AsciiTraceHelper::DefaultEnqueueSinkWithContext, stream));
    Config::Connect(path + "TxQueue/Dequeue",
                    MakeBoundCallback(&AsciiTraceHelper::DefaultDequeueSinkWithContext, stream));
    for (const char* drop : {"MacTxDrop", "PhyTxDrop", "PhyRxDrop"})
    {
        Config::Connect(path + drop,
                        MakeBoundCallback(&AsciiTraceHelper::DefaultDropSinkWithContext, stream));
    }
}

OcsRackHelper::OcsRackHelper(const QueueSize& uplinkQueue)
{
    m_uplink.SetTypeId("ns3::odcn::OcsNetDevice");
    m_server.SetTypeId("ns3::odcn::OcsNetDevice");
    m_uplinkFiber.SetTypeId("ns3::odcn::OcsFiber");
    m_serverFiber.SetTypeId("ns3::odcn::OcsFiber");
    SetUplinkQueue("ns3::DropTailQueue", uplinkQueue);
    SetServerQueue("ns3::DropTailQueue", QueueSize("1000p"));
}

} // namespace ns3::odcn
