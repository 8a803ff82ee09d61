// Copyright (c) 2026 The odcn authors
//
// SPDX-License-Identifier: GPL-2.0-only

#ifndef ODCN_COLUMN_TAPE_H
#define ODCN_COLUMN_TAPE_H

#include "odcn-column-plan.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace odcn
{

/**
 * @ingroup odcn
 *
 * Runs an OdcnColumnPlan, and differentiates it. Images that show a state have columns alike, from
 * one decision to the next and side by side: what a layer makes of equal columns is computed once,
 * and so is what the readers make of a column at its place. Their derivatives add up before they
 * are used. The result for an image does not depend on the images it comes with, bit for bit, nor
 * on the processor: products are fused into additions on every one.
 */
class OdcnColumnTape
{
  public:
    /// Forget all. @param plan which outlives what follows, with its parameters taken
    void Begin(const OdcnColumnPlan& plan);

    /// @return whether so much is remembered that Begin() should be called
    bool IsFull() const;

    /**
     * May be called again and again; equal columns of earlier images are remembered.
     * @param images [n][channel][row][column]
     * @param n how many
     * @param [out] y what the readers make of them, [n][outputs]
     */
    void Forward(const float* images, uint32_t n, float* y);

    /**
     * Differentiate the one Forward() since Begin().
     * @param dy derivatives by its results, [n][outputs]
     * @param [in,out] gradient in the order of the plan, added to
     */
    void Backward(const float* dy, float* gradient);

  private:
    /**
     * Tell the columns of an image by number, at all stages.
     * @param image the image
     * @param other one whose numbers are known; null for none
     * @param otherIds its numbers
     * @param [out] ids the image's
     */
    void Identify(const float* image, const float* other, const uint32_t* otherIds, uint32_t* ids);

    /// Make the columns of a stage that are new. @param s which
    void MakeColumns(std::size_t s);

    /// Make what the readers say of columns at places that are new.
    void MakeReadings();

    /// @param s stage of a convolution  @param id column  @param [out] y without zeros around it
    void Convolve(std::size_t s, uint32_t id, float* y);

    /// @param s stage of a convolution  @param [in,out] gradient in the order of the plan
    void DeriveConvolution(std::size_t s, float* gradient);

    /// @param s stage of squares
    void DerivePool(std::size_t s);

    /// @param dy as Backward()  @param [in,out] gradient in the order of the plan
    void DeriveReadings(const float* dy, float* gradient);

    /// @param s stage  @param id column  @return its first pixel that is not around it
    float* Pixels(std::size_t s, uint32_t id);

    /// @param s stage  @param id column  @return the derivatives by Pixels()
    float* Slopes(std::size_t s, uint32_t id);

    /// Columns at their places, as the tables number them, by place.
    void SortReadings();

    const OdcnColumnPlan* m_plan{nullptr};    //!< What is run
    std::vector<OdcnColumnTable> m_tables;    //!< Of each stage's columns, then of readings
    std::vector<std::vector<float>> m_kept;   //!< Columns of each stage
    std::vector<uint32_t> m_made;             //!< How many of them
    std::vector<std::vector<float>> m_slopes; //!< Derivatives by them
    std::vector<float> m_readings;            //!< Of columns at places, [reading][lanes]
    std::vector<uint32_t> m_order;            //!< Readings by place
    std::vector<uint32_t> m_place;            //!< Where in m_order those of a place begin
    std::vector<std::size_t> m_at;            //!< Where the numbers of a stage begin in a row
    std::vector<uint32_t> m_ids;              //!< Of the images, a row each
    std::vector<uint32_t> m_before;           //!< Of the images of the last call
    std::vector<float> m_imagesBefore;        //!< Them
    std::vector<uint32_t> m_key;              //!< Of a column
    std::vector<uint32_t> m_changed;          //!< Columns that differ from the other image's
    std::vector<float> m_scratch;             //!< Of a column
    std::vector<float> m_gathered;            //!< Columns of a place
    std::vector<float> m_gathered2;           //!< Their derivatives
};

} // namespace odcn
} // namespace ns3

#endif /* ODCN_COLUMN_TAPE_H */
